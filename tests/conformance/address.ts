import { expect } from "vitest";
import type { Address, Region } from "#src/api/address.ts";
import { contract } from "#src/api/contract.ts";
import type { Client } from "./client.ts";
import { type Checks, expectUnique, getAddress, getClient, missing, need, type Run } from "./run.ts";

const fetchProvinces = (client: Client, locale?: string) =>
  client.data(contract.regionInfo, { region_code: "" }, locale ? { locale } : {});

/** Returns the regions from one down to a leaf, taking the first child of each level. */
async function fetchPathToLeaf(client: Client, from: Region): Promise<Region[]> {
  const { region, parents, children } = await client.data(contract.regionInfo, { region_code: from.region_code });
  expect(region).toEqual(from);
  expect(children.length === 0, `${from.region_code} is a leaf`).toBe(from.leaf);
  expectUnique(
    children.map(({ name }) => name),
    `names below ${from.region_code}`,
  );
  const [first] = children;
  if (!first) return [from];
  const info = await client.data(contract.regionInfo, { region_code: first.region_code });
  expect(info.parents).toEqual([...parents, from]);
  return [from, ...(await fetchPathToLeaf(client, first))];
}

export const region: Checks = {
  "an empty code returns the 34 provinces": async ({ visitor }) => {
    const { region, parents, children } = await fetchProvinces(visitor);
    expect({ region, parents, count: children.length }).toEqual({ region: null, parents: [], count: 34 });
    expectUnique(
      children.map(({ region_code }) => region_code),
      "codes of provinces",
    );
  },

  "each level returns its children, each name once, down to a leaf": async ({ visitor }) => {
    for (const province of (await fetchProvinces(visitor)).children.slice(0, 4))
      expect((await fetchPathToLeaf(visitor, province)).at(-1)?.leaf, province.region_code).toBe(true);
  },

  "an unknown code returns 10003": async ({ visitor }) => {
    await visitor.expectCode("notFound", contract.regionInfo, { region_code: "999999" });
  },

  "provinces are named in the requested language": async ({ visitor }) => {
    const [zh, en] = [await fetchProvinces(visitor, "zh-CN"), await fetchProvinces(visitor, "en-US")];
    for (const [n, { region_code, name }] of zh.children.entries()) {
      expect(en.children[n]?.region_code).toBe(region_code);
      expect(en.children[n]?.name).not.toBe(name);
    }
  },
};

/** Returns a leaf and another region. */
async function pickRegions(client: Client): Promise<{ leaf: string; notLeaf: string }> {
  const province = (await fetchProvinces(client)).children.find(({ leaf }) => !leaf);
  const path = await fetchPathToLeaf(client, need(province, "no province has children"));
  return { leaf: path.at(-1)?.region_code ?? "", notLeaf: path[0]?.region_code ?? "" };
}

const maxAddresses = 20;
const invalidValues = {
  name: ["", " ", "x".repeat(26), "a\0b", 7, null],
  mobile: ["", "phone", "12345678901", "1380013800", "138001380001", "+1 415 555 2671", "1-415-555-2671", 13_800_138_000],
  detail: ["", "abc", "长".repeat(121), "bell\u0007"],
  is_default: ["true", 1, null],
};

const createPayload = (region_code: string) => ({
  name: "Conformance",
  mobile: "\u202d＋86 138–0013（8000）\u202c",
  region_code,
  detail: "Conformance Road 1",
  is_default: false,
});
const withoutDefault = ({ is_default: _default, ...rest }: Address) => rest;
const filterDefaults = (list: Address[]) => list.filter(({ is_default }) => is_default);
const fetchAddresses = async (client: Client) => (await client.data(contract.addressLists)).list;
const filterAdded = (list: Address[], before: Address[]) =>
  list.filter(({ address_id }) => !before.some((earlier) => earlier.address_id === address_id));

type Change = typeof contract.addressAdd | typeof contract.addressUp | typeof contract.addressDel;

/** Sends a change and returns its list; fails unless the list is the stored one. */
async function change(client: Client, call: Change, payload: object): Promise<Address[]> {
  const { list } = await client.data(call, payload);
  expect(list, `the list in the response of ${call.path}`).toEqual(await fetchAddresses(client));
  return list;
}

export const address: Checks = {
  "an address is added, with its number as digits and its regions by name": async (run) => {
    const client = getClient(run);
    const before = await fetchAddresses(client);
    const { leaf } = await pickRegions(client);
    const list = await change(client, contract.addressAdd, createPayload(leaf));
    const [added, ...more] = filterAdded(list, before);
    expect(more).toEqual([]);
    expect(added).toMatchObject({ mobile: "13800138000", region_code: leaf, name: "Conformance" });
    run.address = added;
    expect(added?.province).not.toBe("");
    expect(filterDefaults(list)).toHaveLength(1);
    if (before.length === 0) expect(added?.is_default, "the first address is the default").toBe(true);
  },

  "changing an address keeps its id": async (run) => {
    const { address_id, region_code, is_default } = getAddress(run);
    const changed = { ...createPayload(region_code), address_id, detail: "Conformance Road 2", is_default };
    const list = await change(getClient(run), contract.addressUp, changed);
    run.address = list.find((listed) => listed.address_id === address_id);
    expect(run.address?.detail).toBe("Conformance Road 2");
  },

  "invalid names, numbers, details and regions return 10002 with the field in data.fields": async (run) => {
    const client = getClient(run);
    const { leaf, notLeaf } = await pickRegions(client);
    const before = await fetchAddresses(client);
    const region_code = ["", notLeaf, "999999", "abc", Number(leaf)];
    await client.expectInvalid(contract.addressAdd, createPayload(leaf), { ...invalidValues, region_code });
    expect(await fetchAddresses(client)).toEqual(before);
  },

  "there is one default; when it is deleted, the newest address becomes the default": async (run) => {
    const client = getClient(run);
    const { region_code } = getAddress(run);
    const before = await fetchAddresses(client);
    const add = (fields: object) => change(client, contract.addressAdd, { ...createPayload(region_code), ...fields });
    const [second] = filterAdded(await add({ name: "Second" }), before);
    const [third, ...others] = filterDefaults(await add({ name: "Third", is_default: true }));
    expect([third?.name, others]).toEqual(["Third", []]);
    const rest = await change(client, contract.addressDel, { address_id: third?.address_id });
    expect(filterDefaults(rest).map(({ address_id }) => address_id)).toEqual([second?.address_id]);
    const last = await change(client, contract.addressDel, { address_id: second?.address_id });
    expect(last).toHaveLength(before.length);
    const [earlier] = filterDefaults(before);
    if (earlier) await change(client, contract.addressUp, { ...earlier, is_default: true });
  },

  "a member has at most 20 addresses": async (run) => {
    const client = getClient(run);
    const { region_code } = getAddress(run);
    const before = await fetchAddresses(client);
    for (let count = before.length; count < maxAddresses; count += 1)
      await client.data(contract.addressAdd, createPayload(region_code));
    const { envelope } = await client.call(contract.addressAdd, createPayload(region_code));
    const full = await fetchAddresses(client);
    for (const { address_id } of filterAdded(full, before)) await client.data(contract.addressDel, { address_id });
    expect(envelope.code).not.toBe(1);
    expect(full).toHaveLength(maxAddresses);
    expect((await fetchAddresses(client)).map(withoutDefault)).toEqual(before.map(withoutDefault));
  },

  "an unknown address returns 10003": async (run) => {
    const payload = { ...createPayload(getAddress(run).region_code), address_id: missing.address };
    await getClient(run).expectCode("notFound", contract.addressUp, payload);
    await getClient(run).expectCode("notFound", contract.addressDel, { address_id: missing.address });
  },
};

/** Deletes the address of this run, after the orders that use it. */
export async function clearAddress(run: Run): Promise<void> {
  const { address_id } = getAddress(run);
  const list = await change(getClient(run), contract.addressDel, { address_id });
  expect(list.map((listed) => listed.address_id)).not.toContain(address_id);
}
