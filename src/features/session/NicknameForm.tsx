import { type FormEvent, useState } from "react";
import type { nickname as texts } from "#i18n/member.ts";
import type { Reason } from "#src/api/envelope.ts";
import { useFocusFirstError } from "#src/lib/scroll.ts";
import { useStore } from "#src/lib/use-store.ts";
import { Button } from "#src/ui/Button.tsx";
import { Field } from "#src/ui/form/Field.tsx";
import { Notice } from "#src/ui/Notice.tsx";
import { nicknameDraft, nicknameFormStore } from "./nickname-form.ts";

export interface NicknameFormProps {
  t: (typeof texts)["zh-CN"];
  states: Record<Reason | "needsLoginTitle", string>;
  /** The present nickname. */
  nickname: string;
}

/** Form of the nickname. The draft is stored until it is saved. */
export function NicknameForm({ t, states, nickname }: NicknameFormProps) {
  const [store] = useState(() => nicknameFormStore(states));
  const { busy, errors } = useStore(store.$form);
  const typed = useStore(nicknameDraft.$values).nickname ?? nickname;
  const form = useFocusFirstError(errors);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void store.submit(typed);
  };
  return (
    <form ref={form} className="grid gap-4 mt-5" onSubmit={submit} noValidate>
      <Field
        label={t.label}
        hint={t.hint}
        autoComplete="nickname"
        // In UTF-16 units, of which an emoji has two.
        maxLength={40}
        value={typed}
        onChange={(event) => nicknameDraft.save({ nickname: event.target.value })}
        error={errors.nickname}
      />
      {errors.form && <Notice tone="bad">{errors.form}</Notice>}
      <p className="ways end flex flex-wrap gap-3 mt-2 justify-end">
        <Button variant="ghost" onClick={nicknameDraft.clear}>
          {t.cancel}
        </Button>
        <Button type="submit" busy={busy}>
          {t.save}
        </Button>
      </p>
    </form>
  );
}
