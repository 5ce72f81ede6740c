import * as v from "valibot";
import type { Call, DataOf, PayloadOf } from "./call.ts";
import { $token, send } from "./client.ts";
import { NetworkError } from "./envelope.ts";
import { snapshotDatabase as name } from "./storage.ts";

/** The data of a call, stored on the device when the server answered, so that it is readable without a connection. `takenAt` is null for an answer of now. */
export interface Snapshot<Data> {
  data: Data;
  takenAt: string | null;
}

const ownerKey = "owner";
/** The session that the page began with. An answer to it is not stored for a member who has logged in meanwhile, in another tab. */
const pageToken = $token.get();
/** Answers have texts in the language of the page. */
const toKey = ({ path }: Call, payload: unknown) => document.documentElement.lang + path + JSON.stringify(payload ?? null);

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(name);
    request.onsuccess = () => resolve(request.result);
    request.onerror = request.onblocked = reject;
  });
}

/** Returns a fingerprint of the session. Rejects on plain HTTP, where there is no service worker either. */
async function getOwner(token: string): Promise<string> {
  return String(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token))));
}

/** Runs `use` on the snapshots of a session, and deletes those of another one before. Rejects where the browser stores nothing, and when the session has ended meanwhile. */
async function transact<Result>(
  token: string,
  use: (store: IDBObjectStore) => IDBRequest<Result> | undefined,
): Promise<Result | undefined> {
  if (!token || import.meta.env.PUBLIC_OFFLINE === "false") throw new Error("nothing is stored");
  const owner = await getOwner(token);
  const database = await openDatabase();
  // A log-out deletes the database.
  database.onversionchange = () => database.close();
  try {
    if ($token.get() !== token) throw new Error("the session has ended");
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(name, "readwrite");
      const store = transaction.objectStore(name);
      const stored = store.get(ownerKey);
      let request: IDBRequest<Result> | undefined;
      stored.onsuccess = () => {
        try {
          if (stored.result !== owner) {
            store.clear();
            store.put(owner, ownerKey);
          }
          request = use(store);
        } catch (error) {
          // Thrown from here, it would be an uncaught error of the page.
          reject(error);
        }
      };
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = reject;
    });
  } finally {
    database.close();
  }
}

let latestId = 0;
/** By key, the id of the request whose data were stored last. */
const storedIds = new Map<string, number>();

/**
 * Stores answers of a call for the session that the page began with. Does nothing once it has ended, where storage is denied or full, and for an answer
 * to an earlier request than the stored one: `id` grows with each request, and what an action has changed is newer than all before.
 */
export function saveSnapshots<C extends Call>(
  call: C,
  answers: readonly [payload: PayloadOf<C>, data: DataOf<C>][],
  id = ++latestId,
): void {
  const takenAt = new Date().toISOString();
  transact(pageToken, (store) => {
    for (const [payload, data] of answers) {
      const key = toKey(call, payload);
      if (id < (storedIds.get(key) ?? 0)) continue;
      storedIds.set(key, id);
      store.put({ data, takenAt }, key);
    }
    return undefined;
  }).catch(() => {});
}

/** Returns what the session has stored of a call; null without it, and when its form has changed since. */
export async function findSnapshot<C extends Call>(call: C, payload?: PayloadOf<C>): Promise<Snapshot<DataOf<C>> | null> {
  const stored = await transact(
    $token.get(),
    (store): IDBRequest<Snapshot<unknown> | undefined> => store.get(toKey(call, payload)),
  ).catch(() => undefined);
  const data = v.safeParse(call.data, stored?.data);
  return stored && data.success ? { data: data.output as DataOf<C>, takenAt: stored.takenAt } : null;
}

/** Sends a call and stores its data. Without a usable answer, returns what is stored; rejects as `send` does where nothing is, and for a refresh, as what is shown is newer. */
export async function sendOrFind<C extends Call>(
  call: C,
  payload?: PayloadOf<C>,
  isRefresh?: boolean,
): Promise<Snapshot<DataOf<C>>> {
  latestId += 1;
  const id = latestId;
  try {
    const data = await send(call, payload);
    saveSnapshots(call, [[payload, data]], id);
    return { data, takenAt: null };
  } catch (error) {
    const snapshot = !isRefresh && error instanceof NetworkError && (await findSnapshot(call, payload));
    if (!snapshot) throw error;
    return snapshot;
  }
}
