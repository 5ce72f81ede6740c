import { beforeEach, describe, expect, it } from "vitest";
import { offline, openPage, until } from "#tests/support/client/browser.ts";
import { createTestServer, newMobile, type TestServer } from "#tests/support/processes/test-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer("PGlite");
});

async function open(path = "/en-US/user/info", token?: string) {
  const page = openPage(path, server, { TOKEN: token ?? (await server.logIn(newMobile())) });
  const store = await import("#src/features/address/store.ts");
  const { fieldErrors } = await import("#src/api/problem.ts");
  store.addresses.$state.subscribe(() => {});
  await until(() => expect(store.addresses.$state.get().state).toBe("ready"));
  const list = () => {
    const now = store.addresses.$state.get();
    return now.state === "ready" ? now.data : [];
  };
  const getByName = (name: string) => {
    const address = list().find((one) => one.name === name);
    if (!address) throw new Error(`no address of ${name}`);
    return address;
  };
  const formatList = () => list().map(({ name, is_default }) => (is_default ? `${name}*` : name));
  return { page, ...store, fieldErrors, list, getByName, formatList };
}

const home = {
  name: "Anna",
  mobile: "+86 138-0013-8000",
  region_code: "440305",
  detail: "8 Keji South Road",
  is_default: false,
};

describe("the address book", () => {
  it("restores a deleted address as it was, as the default if it was the default", async () => {
    const { save, remove, restore, getByName, formatList } = await open();
    for (const name of ["Anna", "Bert", "Cleo"]) {
      await save({ ...home, name });
      server.advanceClock(1);
    }
    const removedAddress = getByName("Anna");
    await remove(removedAddress);
    expect(formatList()).toEqual(["Cleo*", "Bert"]);
    await restore(removedAddress);
    expect(formatList()).toEqual(["Anna*", "Cleo", "Bert"]);
    expect({ ...getByName("Anna"), address_id: "" }).toEqual({ ...removedAddress, address_id: "" });
  });

  it("applies concurrent changes in order although their responses arrive out of order", async () => {
    const { page, save, remove, makeDefault, getByName, formatList } = await open();
    for (const name of ["Anna", "Bert", "Cleo", "Dora"]) await save({ ...home, name });
    const slow = [400, 0, 100];
    page.network = async (_request, pass) => {
      const response = await pass();
      await new Promise((resolve) => setTimeout(resolve, slow.shift() ?? 0));
      return response;
    };
    await Promise.all([remove(getByName("Anna")), remove(getByName("Bert")), makeDefault(getByName("Dora"))]);
    expect(formatList()).toEqual(["Dora*", "Cleo"]);
  });

  it.each([
    ["name", { name: " " }, "Needed"],
    ["mobile", { mobile: "12345" }, "An 11-digit mainland mobile number"],
    ["mobile", { mobile: "1 (415) 555-2671" }, "Only mainland Chinese numbers for now: 11 digits"],
    ["region_code", { region_code: "440300" }, "Choose down to the last level"],
    ["region_code", { region_code: "" }, "Choose down to the last level"],
    ["detail", { detail: "" }, "Needed"],
  ])("rejects an invalid %s with an error at that field: %j", async (field, wrong, reason) => {
    const { save, fieldErrors, list } = await open();
    const caught = await save({ ...home, ...wrong }).catch((error) => error);
    expect(fieldErrors(caught)).toEqual({ [field]: reason });
    expect(list()).toEqual([]);
  });

  it("reloads its addresses when another member logs in", async () => {
    const { page, save, addresses, list } = await open();
    await save(home);
    page.writeFromOtherTab("TOKEN", await server.logIn(newMobile()));
    expect(addresses.$state.get()).toEqual({ state: "loading" });
    await until(() => expect(addresses.$state.get().state).toBe("ready"));
    expect(list()).toEqual([]);
  });

  it("keeps its addresses when a change fails, and accepts the next change", async () => {
    const { page, save, remove, getByName, formatList } = await open();
    await save(home);
    page.network = offline;
    await expect(remove(getByName("Anna"))).rejects.toMatchObject({ reason: "offline" });
    expect(formatList()).toEqual(["Anna*"]);
    page.network = (_request, pass) => pass();
    await remove(getByName("Anna"));
    expect(formatList()).toEqual([]);
  });
});

describe("the address chosen for an order", () => {
  it("is the default address until another is chosen, and again when that one is deleted", async () => {
    const { save, remove, choose, getByName, $chosen } = await open();
    $chosen.subscribe(() => {});
    expect($chosen.get()).toBeNull();
    await save(home);
    const added = await save({ ...home, name: "Bert" });
    expect($chosen.get()?.name).toBe("Anna");
    choose(added?.address_id ?? "");
    expect($chosen.get()?.name).toBe("Bert");
    await remove(getByName("Bert"));
    expect($chosen.get()?.name).toBe("Anna");
  });

  it("is required by the checkout until one is chosen", async () => {
    const { requireAddress, $addressRequired, choose } = await open();
    requireAddress();
    expect($addressRequired.get()).toBe(1);
    choose("x");
    expect($addressRequired.get()).toBe(0);
  });
});
