import type { Address } from "../../src/api/address.ts";
import { table } from "../../src/api/table.ts";
import { type ConformanceContext, type Group, missing, needed, tokenOf } from "./context.ts";
import { assert, assertEqual } from "./outcome.ts";
import { pickRegions } from "./region.ts";

const most = 20;
const tooLong = "长".repeat(121);
const wrongs = { name: ["小", "x".repeat(26)], mobile: ["12345678901", "1380013800"], detail: ["abc", tooLong] };

const formOf = (region_code: string) => ({
  ...{ name: "Conformance", mobile: "+86 138-0013 8000", region_code, detail: "Conformance Road 1", is_default: false },
});
const plain = ({ is_default: _ignored, ...rest }: Address) => rest;
const listOf = async (ground: ConformanceContext) =>
  (await ground.wire.data(table.addressLists, undefined, { token: tokenOf(ground) })).list;
const defaults = (list: Address[]) => list.filter(({ is_default }) => is_default);

type Change = typeof table.addressAdd | typeof table.addressUp | typeof table.addressDel;

/** Sends a change, and gives the list that was answered, which must be the one that is then there. */
async function change(ground: ConformanceContext, call: Change, payload: object): Promise<Address[]> {
  const { list } = await ground.wire.data(call, payload, { token: tokenOf(ground) });
  assertEqual(list, await listOf(ground), `the list that ${call.path} answers`);
  return list;
}

export const address: Group = {
  name: "addresses",
  checks: [
    [
      "one is added, its number bare and its places named",
      async (ground) => {
        const before = await listOf(ground);
        const { leaf } = await pickRegions(ground.wire);
        const list = await change(ground, table.addressAdd, formOf(leaf));
        const made = list.find(({ address_id }) => !before.some((one) => one.address_id === address_id));
        assert(
          made !== undefined && list.length === before.length + 1,
          `the list went from ${before.length} to ${list.length}`,
        );
        ground.address = made;
        assertEqual([made.mobile, made.region_code, made.name], ["13800138000", leaf, "Conformance"], "the new address");
        assert(made.province !== "", "its province has no name");
        assert(defaults(list).length === 1, `${defaults(list).length} addresses are the default`);
        if (before.length === 0) assert(made.is_default, "the first address is not the default");
      },
    ],
    [
      "it is changed in place",
      async (ground) => {
        const { address_id, region_code, is_default } = needed(ground.address, "no address was made");
        const changed = { ...formOf(region_code), address_id, detail: "Conformance Road 2", is_default };
        const list = await change(ground, table.addressUp, changed);
        const now = list.find((one) => one.address_id === address_id);
        assertEqual(now?.detail, "Conformance Road 2", "its detail");
        ground.address = needed(now, "it is gone");
      },
    ],
    [
      "names, numbers, details and places that do not fit are 10002, by field",
      async (ground) => {
        const { leaf, notLeaf } = await pickRegions(ground.wire);
        const bad = Object.entries({ ...wrongs, region_code: [notLeaf, "999999"] });
        for (const [field, values] of bad) {
          for (const value of values) {
            const { envelope } = await ground.wire.refusal(
              "badParameter",
              table.addressAdd,
              { ...formOf(leaf), [field]: value },
              { token: tokenOf(ground) },
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
      "the default is one; deleted, the newest takes its place",
      async (ground) => {
        const { region_code } = needed(ground.address, "no address was made");
        const before = await listOf(ground);
        const own = (list: Address[]) => list.filter(({ address_id }) => !before.some((one) => one.address_id === address_id));
        const second = own(await change(ground, table.addressAdd, { ...formOf(region_code), name: "Second" }))[0];
        const third = own(
          await change(ground, table.addressAdd, { ...formOf(region_code), name: "Third", is_default: true }),
        ).find(({ name }) => name === "Third");
        const after = await listOf(ground);
        assertEqual(
          defaults(after).map(({ name }) => name),
          ["Third"],
          "the default",
        );
        const rest = await change(ground, table.addressDel, { address_id: third?.address_id });
        assertEqual(
          defaults(rest).map(({ address_id }) => address_id),
          [second?.address_id],
          "the default after that one was deleted",
        );
        const last = await change(ground, table.addressDel, { address_id: second?.address_id });
        assertEqual(last.map(plain).length, before.length, "what is left");
        const earlier = defaults(before)[0];
        if (earlier) await change(ground, table.addressUp, { ...earlier, is_default: true });
      },
    ],
    [
      "a member has 20 at most",
      async (ground) => {
        const { region_code } = needed(ground.address, "no address was made");
        const before = await listOf(ground);
        const token = tokenOf(ground);
        for (let count = before.length; count < most; count += 1)
          await ground.wire.data(table.addressAdd, formOf(region_code), { token });
        const { envelope } = await ground.wire.ask(table.addressAdd, formOf(region_code), { token });
        const full = await listOf(ground);
        const mine = full.filter(({ address_id }) => !before.some((one) => one.address_id === address_id));
        for (const { address_id } of mine) await ground.wire.data(table.addressDel, { address_id }, { token });
        assert(envelope?.code !== 1 && full.length === most, `there were ${full.length}`);
        assertEqual((await listOf(ground)).map(plain), before.map(plain), "what is left");
      },
    ],
    [
      "one that is not there is 10003",
      async (ground) => {
        const { region_code } = needed(ground.address, "no address was made");
        const token = tokenOf(ground);
        await ground.wire.refusal(
          "notFound",
          table.addressUp,
          { ...formOf(region_code), address_id: missing.address },
          { token },
        );
        await ground.wire.refusal("notFound", table.addressDel, { address_id: missing.address }, { token });
      },
    ],
  ],
};

/** Takes away what was made, once orders have been made with it. */
export async function clearAddress(ground: ConformanceContext): Promise<void> {
  const { address_id } = needed(ground.address, "no address was made");
  const list = await change(ground, table.addressDel, { address_id });
  assert(!list.some((one) => one.address_id === address_id), "it is still there");
}
