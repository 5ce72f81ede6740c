import { asc } from "drizzle-orm";
import { namedCarriers } from "#i18n/carrier.ts";
import type { Database } from "#server/db/database.ts";
import { carriers } from "#server/db/schema/shipping.ts";
import type { Carrier } from "#server/lib/shipping-service.ts";

interface NamedCarrier extends Carrier {
  /** Names that operators type, WeChat's first. */
  names: string[];
}

const toKey = (text: string) => text.normalize("NFKC").trim().toLowerCase();

/** Lists WeChat's carriers with the names that operators type; before WeChat has sent its list, those whose id is documented. `isWhole`: WeChat has. */
async function listCarriers(db: Database): Promise<{ list: NamedCarrier[]; isWhole: boolean }> {
  const rows = await db.select().from(carriers).orderBy(asc(carriers.id));
  const documented = namedCarriers.flatMap(({ id, names, english }) =>
    id === null ? [] : [{ id, name: names[0], names: [...names, english] }],
  );
  if (rows.length === 0) return { list: documented, isWhole: false };
  const list = rows.map(({ id, name }) => {
    const named = namedCarriers.find((carrier) => carrier.id === id || (carrier.id === null && carrier.names.includes(name)));
    return { id, name, names: [name, ...(named ? [...named.names, named.english] : [])] };
  });
  return { list, isWhole: true };
}

/** Finds carriers by their id or name: those that have exactly this one, else those whose name has it as a part. */
export async function findCarriers(db: Database, text: string): Promise<{ found: Carrier[]; isWhole: boolean }> {
  const { list, isWhole } = await listCarriers(db);
  const key = toKey(text);
  const byId = list.filter(({ id }) => toKey(id) === key);
  const exact = byId.length > 0 ? byId : list.filter(({ names }) => names.some((name) => toKey(name) === key));
  const found = exact.length > 0 ? exact : list.filter(({ names }) => names.some((name) => toKey(name).includes(key)));
  return { found, isWhole };
}
