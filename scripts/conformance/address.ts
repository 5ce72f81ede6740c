import type { Address } from "../../src/api/address.ts";
import { table } from "../../src/api/table.ts";
import { type ConformanceContext, type Group, getToken, missing, requireValue } from "./context.ts";
import { assert, assertEqual } from "./outcome.ts";
import { pickRegions } from "./region.ts";

const most = 20;
const tooLong = "长".repeat(121);
const wrongs = { name: ["小", "x".repeat(26)], mobile: ["12345678901", "1380013800"], detail: ["abc", tooLong] };

const createPayload = (region_code: string) => ({
  ...{ name: "Conformance", mobile: "+86 138-0013 8000", region_code, detail: "Conformance Road 1", is_default: false },
});
const plain = ({ is_default: _ignored, ...rest }: Address) => rest;
const fetchAddresses = async (context: ConformanceContext) =>
  (await context.client.data(table.addressLists, undefined, { token: getToken(context) })).list;
const defaults = (list: Address[]) => list.filter(({ is_default }) => is_default);

type Change = typeof table.addressAdd | typeof table.addressUp | typeof table.addressDel;

/** Sends a change and returns its list; fails unless the list is the stored one. */
async function change(context: ConformanceContext, call: Change, payload: object): Promise<Address[]> {
  const { list } = await context.client.data(call, payload, { token: getToken(context) });
  assertEqual(list, await fetchAddresses(context), `the list that ${call.path} answers`);
  return list;
}

export const address: Group = {
  name: "addresses",
  checks: [
    [
      "one is added, its number bare and its places named",
      async (context) => {
        const before = await fetchAddresses(context);
        const { leaf } = await pickRegions(context.client);
        const list = await change(context, table.addressAdd, createPayload(leaf));
        const made = list.find(({ address_id }) => !before.some((one) => one.address_id === address_id));
        assert(
          made !== undefined && list.length === before.length + 1,
          `the list went from ${before.length} to ${list.length}`,
        );
        context.address = made;
        assertEqual([made.mobile, made.region_code, made.name], ["13800138000", leaf, "Conformance"], "the new address");
        assert(made.province !== "", "its province has no name");
        assert(defaults(list).length === 1, `${defaults(list).length} addresses are the default`);
        if (before.length === 0) assert(made.is_default, "the first address is not the default");
      },
    ],
    [
      "it is changed in place",
      async (context) => {
        const { address_id, region_code, is_default } = requireValue(context.address, "no address was made");
        const changed = { ...createPayload(region_code), address_id, detail: "Conformance Road 2", is_default };
        const list = await change(context, table.addressUp, changed);
        const now = list.find((one) => one.address_id === address_id);
        assertEqual(now?.detail, "Conformance Road 2", "its detail");
        context.address = requireValue(now, "it is gone");
      },
    ],
    [
      "names, numbers, details and places that do not fit are 10002, by field",
      async (context) => {
        const { leaf, notLeaf } = await pickRegions(context.client);
        const bad = Object.entries({ ...wrongs, region_code: [notLeaf, "999999"] });
        for (const [field, values] of bad) {
          for (const value of values) {
            const { envelope } = await context.client.expectError(
              "badParameter",
              table.addressAdd,
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
      "the default is one; deleted, the newest takes its place",
      async (context) => {
        const { region_code } = requireValue(context.address, "no address was made");
        const before = await fetchAddresses(context);
        const own = (list: Address[]) => list.filter(({ address_id }) => !before.some((one) => one.address_id === address_id));
        const second = own(await change(context, table.addressAdd, { ...createPayload(region_code), name: "Second" }))[0];
        const third = own(
          await change(context, table.addressAdd, { ...createPayload(region_code), name: "Third", is_default: true }),
        ).find(({ name }) => name === "Third");
        const after = await fetchAddresses(context);
        assertEqual(
          defaults(after).map(({ name }) => name),
          ["Third"],
          "the default",
        );
        const rest = await change(context, table.addressDel, { address_id: third?.address_id });
        assertEqual(
          defaults(rest).map(({ address_id }) => address_id),
          [second?.address_id],
          "the default after that one was deleted",
        );
        const last = await change(context, table.addressDel, { address_id: second?.address_id });
        assertEqual(last.map(plain).length, before.length, "what is left");
        const earlier = defaults(before)[0];
        if (earlier) await change(context, table.addressUp, { ...earlier, is_default: true });
      },
    ],
    [
      "a member has 20 at most",
      async (context) => {
        const { region_code } = requireValue(context.address, "no address was made");
        const before = await fetchAddresses(context);
        const token = getToken(context);
        for (let count = before.length; count < most; count += 1)
          await context.client.data(table.addressAdd, createPayload(region_code), { token });
        const { envelope } = await context.client.call(table.addressAdd, createPayload(region_code), { token });
        const full = await fetchAddresses(context);
        const mine = full.filter(({ address_id }) => !before.some((one) => one.address_id === address_id));
        for (const { address_id } of mine) await context.client.data(table.addressDel, { address_id }, { token });
        assert(envelope?.code !== 1 && full.length === most, `there were ${full.length}`);
        assertEqual((await fetchAddresses(context)).map(plain), before.map(plain), "what is left");
      },
    ],
    [
      "one that is not there is 10003",
      async (context) => {
        const { region_code } = requireValue(context.address, "no address was made");
        const token = getToken(context);
        await context.client.expectError(
          "notFound",
          table.addressUp,
          { ...createPayload(region_code), address_id: missing.address },
          { token },
        );
        await context.client.expectError("notFound", table.addressDel, { address_id: missing.address }, { token });
      },
    ],
  ],
};

/** Deletes the address of this run, after the orders that use it. */
export async function clearAddress(context: ConformanceContext): Promise<void> {
  const { address_id } = requireValue(context.address, "no address was made");
  const list = await change(context, table.addressDel, { address_id });
  assert(!list.some((one) => one.address_id === address_id), "it is still there");
}
