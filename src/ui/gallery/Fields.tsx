import { Check } from "../form/Check.tsx";
import { Field } from "../form/Field.tsx";
import { Select } from "../form/Select.tsx";
import { TextArea } from "../form/TextArea.tsx";

type Words = "username" | "usernameHint" | "placeholder" | "receiver" | "receiverError" | "region" | "regionA" | "regionB";
interface FieldsProps {
  t: Record<Words | "note" | "noteHint" | "orderNumber" | "defaultAddress", string>;
}

/** Every kind of field: empty, with a hint, invalid, disabled. Static HTML. */
export function Fields({ t }: FieldsProps) {
  return (
    <div className="fg">
      <Field label={t.username} placeholder={t.placeholder} hint={t.usernameHint} />
      <Field label={t.receiver} error={t.receiverError} />
      <Select label={t.region}>
        <option>{t.regionA}</option>
        <option>{t.regionB}</option>
      </Select>
      <Field label={t.orderNumber} disabled defaultValue="M2027 0301 8842 16" />
      <TextArea label={t.note} hint={t.noteHint} maxLength={200} />
      <Check label={t.defaultAddress} defaultChecked />
    </div>
  );
}
