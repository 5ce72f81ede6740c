import type { Region } from "../../src/api/address.ts";
import { contract } from "../../src/api/contract.ts";
import { assert, assertEqual, CheckSkipped, type Client } from "./client.ts";
import type { Group } from "./context.ts";

/** Returns the regions from a province down to a leaf, taking the first child of each level. */
async function fetchPathToLeaf(client: Client, from: Region): Promise<Region[]> {
  const { region, parents, children } = await client.data(contract.regionInfo, { region_code: from.region_code });
  assertEqual(region, from, `the region of ${from.region_code}`);
  assert(
    from.leaf === (children.length === 0),
    `leaf of ${from.region_code} is ${from.leaf}, with ${children.length} children`,
  );
  const [first] = children;
  if (!first) return [from];
  const firstInfo = await client.data(contract.regionInfo, { region_code: first.region_code });
  assertEqual(firstInfo.parents, [...parents, from], `the parents of ${first.region_code}`);
  return [from, ...(await fetchPathToLeaf(client, first))];
}

export const region: Group = {
  name: "regions",
  checks: [
    [
      "an empty code returns the 34 provinces",
      async ({ client }) => {
        const { region, parents, children } = await client.data(contract.regionInfo, { region_code: "" });
        assertEqual({ region, parents, count: children.length }, { region: null, parents: [], count: 34 }, "the response");
        assert(new Set(children.map(({ region_code }) => region_code)).size === 34, "two provinces have one code");
      },
    ],
    [
      "each level returns its children, down to a leaf",
      async ({ client }) => {
        const { children } = await client.data(contract.regionInfo, { region_code: "" });
        for (const province of children.slice(0, 4)) {
          const path = await fetchPathToLeaf(client, province);
          assert(path.at(-1)?.leaf === true, `the path below ${province.region_code} ends without a leaf`);
        }
      },
    ],
    [
      "an unknown code returns 10003",
      async ({ client }) => {
        await client.expectError("notFound", contract.regionInfo, { region_code: "999999" });
      },
    ],
    [
      "provinces are named in the requested language",
      async ({ client }) => {
        const [zh, en] = [
          await client.data(contract.regionInfo, { region_code: "" }, { locale: "zh-CN" }),
          await client.data(contract.regionInfo, { region_code: "" }, { locale: "en-US" }),
        ];
        const codes = (data: typeof zh) => data.children.map(({ region_code }) => region_code);
        assertEqual(codes(zh), codes(en), "the provinces in Chinese");
        assert(
          zh.children.every(({ name }, n) => name !== en.children[n]?.name),
          "a province has the same name in both languages",
        );
      },
    ],
  ],
};

/** Returns a leaf and another region, for addresses. */
export async function pickRegions(client: Client): Promise<{ leaf: string; notLeaf: string }> {
  const { children } = await client.data(contract.regionInfo, { region_code: "" });
  const province = children.find(({ leaf }) => !leaf);
  if (!province) throw new CheckSkipped("no province has children");
  const leaf = (await fetchPathToLeaf(client, province)).at(-1);
  return { leaf: leaf?.region_code ?? "", notLeaf: province.region_code };
}
