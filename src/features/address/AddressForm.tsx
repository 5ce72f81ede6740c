import { type FormEvent, useState } from "react";
import type { address as texts } from "#i18n/address.ts";
import { fill } from "#i18n/catalogue.ts";
import type { Address } from "#src/api/address.ts";
import { fieldErrors } from "#src/api/problem.ts";
import { useFocusFirstError } from "#src/lib/scroll.ts";
import { useStore } from "#src/lib/use-store.ts";
import { Button } from "#src/ui/Button.tsx";
import { Check } from "#src/ui/form/Check.tsx";
import { Field } from "#src/ui/form/Field.tsx";
import { TextArea } from "#src/ui/form/TextArea.tsx";
import { Notice } from "#src/ui/Notice.tsx";
import { addressDraft } from "./address-draft.ts";
import { type Pasted, paste } from "./paste.ts";
import { RegionChoice } from "./RegionChoice.tsx";
import { type AddressFields, save } from "./store.ts";

/** Submits the address form, one request at a time. Returns the server's errors by field, or one problem for the whole form. */
function useSaving(toMessage: (error: unknown) => string, onSaved: (saved: Address | undefined) => void) {
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(fields: AddressFields, address_id: string | undefined): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem("");
    setErrors({});
    try {
      const saved = await save(fields, address_id);
      addressDraft.clear();
      onSaved(saved);
    } catch (error) {
      const reasons = fieldErrors(error);
      setErrors(reasons ?? {});
      if (!reasons) setProblem(toMessage(error));
    }
    setBusy(false);
  }
  return { errors, problem, busy, submit };
}

/** Returns what a pasted text has filled in, what it has not for certain, and what the member had filled in before. */
function formatHint(t: (typeof texts)["zh-CN"], pasted: Pasted | null): string {
  if (!pasted) return t.pasteHint;
  const list = new Intl.ListFormat(document.documentElement.lang);
  const format = (text: string, fields: Pasted["unchanged"]) =>
    fill(text, { fields: list.format(fields.map((field) => t[field === "region_code" ? "region" : field])) });
  const result = pasted.unsure.length > 0 ? format(t.pastedPart, pasted.unsure) : t.pasted;
  return pasted.unchanged.length > 0 ? `${result} ${format(t.pastedUnchanged, pasted.unchanged)}` : result;
}

interface AddressFormProps {
  t: (typeof texts)["zh-CN"];
  /** The address to edit; undefined for a new one. */
  address: Address | undefined;
  /** Returns the text of a failed save. */
  toMessage: (error: unknown) => string;
  onSaved: (saved: Address | undefined) => void;
  onCancel: () => void;
}

/** Form of a new or existing address. The draft is stored until it is saved. */
export function AddressForm({ t, address, toMessage, onSaved, onCancel }: AddressFormProps) {
  const typed = useStore(addressDraft.$values);
  const { errors, problem, busy, submit } = useSaving(toMessage, onSaved);
  const form = useFocusFirstError(errors);
  const [pasted, setPasted] = useState<Pasted | null>(null);
  const values = {
    name: typed.name ?? address?.name ?? "",
    mobile: typed.mobile ?? address?.mobile ?? "",
    region_code: typed.region_code ?? address?.region_code ?? "",
    detail: typed.detail ?? address?.detail ?? "",
    is_default: typed.is_default ?? address?.is_default ?? false,
  };

  const send = (event: FormEvent) => {
    event.preventDefault();
    void submit(values, address?.address_id);
  };

  return (
    <form ref={form} className="grid gap-4 mt-5" onSubmit={send} noValidate>
      {address?.needs_region && <Notice tone="warn">{t.regionGone}</Notice>}
      {!address && (
        <TextArea
          label={t.paste}
          rows={2}
          hint={formatHint(t, pasted)}
          value={typed.pasted ?? ""}
          onChange={(event) => void paste(event.target.value, setPasted)}
        />
      )}
      <Field
        label={t.name}
        autoComplete="name"
        maxLength={25}
        value={values.name}
        onChange={(event) => addressDraft.save({ name: event.target.value })}
        error={errors.name}
      />
      <Field
        label={t.mobile}
        autoComplete="tel"
        inputMode="tel"
        maxLength={40}
        value={values.mobile}
        onChange={(event) => addressDraft.save({ mobile: event.target.value })}
        error={errors.mobile}
      />
      <RegionChoice
        t={t}
        value={values.region_code}
        onChoose={(region_code) => addressDraft.save({ region_code })}
        error={errors.region_code}
      />
      <TextArea
        label={t.detail}
        hint={t.detailHint}
        autoComplete="street-address"
        maxLength={120}
        rows={2}
        value={values.detail}
        onChange={(event) => addressDraft.save({ detail: event.target.value })}
        error={errors.detail}
      />
      {!address?.is_default && (
        <Check
          label={t.asDefault}
          checked={values.is_default}
          onChange={(event) => addressDraft.save({ is_default: event.target.checked })}
        />
      )}
      {problem && <Notice tone="bad">{problem}</Notice>}
      <p className="ways end flex flex-wrap gap-3 mt-2 -mb-6 -mx-6 justify-end -bottom-6 px-6 py-3 bg-surface border-t border-line">
        <Button variant="ghost" size="lg" onClick={onCancel}>
          {t.cancel}
        </Button>
        <Button type="submit" size="lg" busy={busy}>
          {t.save}
        </Button>
      </p>
    </form>
  );
}
