import type { address as texts } from "#i18n/address.ts";
import type { Address } from "#src/api/address.ts";
import { formatAddress, formatMobile, getLanguage } from "#src/api/address-line.ts";
import { keepNumbers } from "#src/lib/format.ts";
import { Tag } from "#src/ui/Tag.tsx";

interface AddressTextProps {
  t: Pick<(typeof texts)["zh-CN"], "isDefault">;
  locale: string;
  address: Address;
}

/** An address in two lines: recipient, and region with street. */
export function AddressText({ t, locale, address }: AddressTextProps) {
  const line = formatAddress(address, locale);
  return (
    <span className="block min-w-0 wrap-anywhere">
      <b className="font-semibold" lang={getLanguage(address.name, locale)}>
        {address.name}
      </b>{" "}
      <span className="numeral font-medium whitespace-nowrap" translate="no">
        {formatMobile(address.mobile)}
      </span>{" "}
      {address.is_default && <Tag tone="wash">{t.isDefault}</Tag>}
      <span className="text-ink-2 text-sm text-pretty block break-keep" lang={getLanguage(line, locale)}>
        {keepNumbers(line)}
      </span>
    </span>
  );
}
