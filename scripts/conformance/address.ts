import type { Address, Region } from "../../src/api/address.ts";
import { contract } from "../../src/api/contract.ts";
import { assert, assertEqual, CheckSkipped, type Client } from "./client.ts";
import { type ConformanceContext, type Group, getToken, missing, requireValue } from "./context.ts";

/** Returns the regions from a province down to a leaf, taking the first child of each level. */
async function fetchPathToLeaf(client: Client, from: Region): Promise<Region[]> {
  const { region, parents, children } = await client.data(contract.regionInfo, { region_code: from.region_code });
  assertEqual(region, from, `the region of ${from.region_code}`);
  assert(
    from.leaf === (children.length === 0),
    `leaf of ${from.region_code} is ${from.leaf}, with ${children.length} children`,
  );
  assert(new Set(children.map(({ name }) => name)).size === children.length, `a name stands twice below ${from.region_code}`);
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
      "each level returns its children, each name once, down to a leaf",
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
async function pickRegions(client: Client): Promise<{ leaf: string; notLeaf: string }> {
  const { children } = await client.data(contract.regionInfo, { region_code: "" });
  const province = children.find(({ leaf }) => !leaf);
  if (!province) throw new CheckSkipped("no province has children");
  const leaf = (await fetchPathToLeaf(client, province)).at(-1);
  return { leaf: leaf?.region_code ?? "", notLeaf: province.region_code };
}

const maxAddresses = 20;
const tooLong = "长".repeat(121);
const invalidValues = {
  name: ["", "x".repeat(26)],
  mobile: ["12345678901", "1380013800", "+1 415 555 2671", "1-415-555-2671"],
  detail: ["abc", tooLong],
};

const createPayload = (region_code: string) => ({
  name: "Conformance",
  mobile: "\u202d＋86 138–0013（8000）\u202c",
  region_code,
  detail: "Conformance Road 1",
  is_default: false,
});
const withoutDefault = ({ is_default: _default, ...rest }: Address) => rest;
const fetchAddresses = async (context: ConformanceContext) =>
  (await context.client.data(contract.addressLists, undefined, { token: getToken(context) })).list;
const filterDefaults = (list: Address[]) => list.filter(({ is_default }) => is_default);

type Change = typeof contract.addressAdd | typeof contract.addressUp | typeof contract.addressDel;

/** Sends a change and returns its list; fails unless the list is the stored one. */
async function change(context: ConformanceContext, call: Change, payload: object): Promise<Address[]> {
  const { list } = await context.client.data(call, payload, { token: getToken(context) });
  assertEqual(list, await fetchAddresses(context), `the list in the response of ${call.path}`);
  return list;
}

export const address: Group = {
  name: "addresses",
  checks: [
    [
      "an address is added, with its number as digits and its regions by name",
      async (context) => {
        const before = await fetchAddresses(context);
        const { leaf } = await pickRegions(context.client);
        const list = await change(context, contract.addressAdd, createPayload(leaf));
        const added = list.find(({ address_id }) => !before.some((earlier) => earlier.address_id === address_id));
        assert(
          added !== undefined && list.length === before.length + 1,
          `the list has ${list.length} addresses after adding one to ${before.length}`,
        );
        context.address = added;
        assertEqual([added.mobile, added.region_code, added.name], ["13800138000", leaf, "Conformance"], "the new address");
        assert(added.province !== "", "province is empty");
        assert(filterDefaults(list).length === 1, `${filterDefaults(list).length} addresses are the default`);
        if (before.length === 0) assert(added.is_default, "the first address is not the default");
      },
    ],
    [
      "changing an address keeps its id",
      async (context) => {
        const { address_id, region_code, is_default } = requireValue(context.address, "no address was created");
        const changed = { ...createPayload(region_code), address_id, detail: "Conformance Road 2", is_default };
        const list = await change(context, contract.addressUp, changed);
        const updated = list.find((listed) => listed.address_id === address_id);
        assertEqual(updated?.detail, "Conformance Road 2", "detail");
        context.address = requireValue(updated, "the changed address is missing");
      },
    ],
    [
      "invalid names, numbers, details and regions return 10002 with the field in data.fields",
      async (context) => {
        const { leaf, notLeaf } = await pickRegions(context.client);
        const invalid = Object.entries({ ...invalidValues, region_code: [notLeaf, "999999"] });
        for (const [field, values] of invalid) {
          for (const value of values) {
            const { envelope } = await context.client.expectError(
              "badParameter",
              contract.addressAdd,
              { ...createPayload(leaf), [field]: value },
              { token: getToken(context) },
            );
            assertEqual(
              Object.keys(Object(Object(envelope.data).fields)),
              [field],
              `data.fields for ${field} "${value.slice(0, 20)}"`,
            );
          }
        }
      },
    ],
    [
      "there is one default; when it is deleted, the newest address becomes the default",
      async (context) => {
        const { region_code } = requireValue(context.address, "no address was created");
        const before = await fetchAddresses(context);
        const filterAdded = (list: Address[]) =>
          list.filter(({ address_id }) => !before.some((earlier) => earlier.address_id === address_id));
        const second = filterAdded(
          await change(context, contract.addressAdd, { ...createPayload(region_code), name: "Second" }),
        )[0];
        const third = filterAdded(
          await change(context, contract.addressAdd, { ...createPayload(region_code), name: "Third", is_default: true }),
        ).find(({ name }) => name === "Third");
        const after = await fetchAddresses(context);
        assertEqual(
          filterDefaults(after).map(({ name }) => name),
          ["Third"],
          "the default",
        );
        const rest = await change(context, contract.addressDel, { address_id: third?.address_id });
        assertEqual(
          filterDefaults(rest).map(({ address_id }) => address_id),
          [second?.address_id],
          "the default after the default was deleted",
        );
        const last = await change(context, contract.addressDel, { address_id: second?.address_id });
        assertEqual(last.map(withoutDefault).length, before.length, "the remaining addresses");
        const earlier = filterDefaults(before)[0];
        if (earlier) await change(context, contract.addressUp, { ...earlier, is_default: true });
      },
    ],
    [
      "a member has at most 20 addresses",
      async (context) => {
        const { region_code } = requireValue(context.address, "no address was created");
        const before = await fetchAddresses(context);
        const token = getToken(context);
        for (let count = before.length; count < maxAddresses; count += 1)
          await context.client.data(contract.addressAdd, createPayload(region_code), { token });
        const { envelope } = await context.client.call(contract.addressAdd, createPayload(region_code), { token });
        const full = await fetchAddresses(context);
        const added = full.filter(({ address_id }) => !before.some((earlier) => earlier.address_id === address_id));
        for (const { address_id } of added) await context.client.data(contract.addressDel, { address_id }, { token });
        assert(
          envelope?.code !== 1 && full.length === maxAddresses,
          `the member has ${full.length} addresses and code ${envelope?.code}`,
        );
        assertEqual((await fetchAddresses(context)).map(withoutDefault), before.map(withoutDefault), "the remaining addresses");
      },
    ],
    [
      "an unknown address returns 10003",
      async (context) => {
        const { region_code } = requireValue(context.address, "no address was created");
        const token = getToken(context);
        await context.client.expectError(
          "notFound",
          contract.addressUp,
          { ...createPayload(region_code), address_id: missing.address },
          { token },
        );
        await context.client.expectError("notFound", contract.addressDel, { address_id: missing.address }, { token });
      },
    ],
  ],
};

/** Deletes the address of this run, after the orders that use it. */
export async function clearAddress(context: ConformanceContext): Promise<void> {
  const { address_id } = requireValue(context.address, "no address was created");
  const list = await change(context, contract.addressDel, { address_id });
  assert(!list.some((listed) => listed.address_id === address_id), "the deleted address is still in the list");
}
