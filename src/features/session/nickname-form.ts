import { map } from "nanostores";
import * as v from "valibot";
import { splitPrefix } from "#i18n/locale.ts";
import { $token, send } from "#src/api/client.ts";
import type { Reason } from "#src/api/envelope.ts";
import { userNickname } from "#src/api/member.ts";
import { fieldErrors, toProblem } from "#src/api/problem.ts";
import { draft } from "#src/lib/draft.ts";
import { updateUser } from "./store.ts";

/** What is typed until it is saved. `open`: the dialog was open when the page was left. */
export const nicknameDraft = draft(
  "nickname",
  v.object({ open: v.optional(v.boolean()), nickname: v.optional(v.string()) }),
  splitPrefix,
);

/** The form shows failures itself; an expired session still leads to login. */
const formOptions = { notify: false, isUserAction: true };

async function changeNickname(nickname: string): Promise<void> {
  const token = $token.get();
  const { info } = await send(userNickname, { nickname }, formOptions);
  if ($token.get() === token) updateUser(info);
}

interface NicknameForm {
  busy: boolean;
  /** Messages: `nickname` of the field, `form` of anything else. */
  errors: Record<string, string>;
}

/** Sends the member's new nickname, one request at a time, and holds why it failed. */
export function nicknameFormStore(texts: Record<Reason | "needsLoginTitle", string>) {
  const $form = map<NicknameForm>({ busy: false, errors: {} });

  function toErrors(error: unknown): Record<string, string> {
    const problem = toProblem(error, texts);
    return fieldErrors(error) ?? { form: problem.kind === "failed" ? problem.message : texts.needsLoginTitle };
  }

  return {
    $form,
    async submit(nickname: string): Promise<void> {
      if ($form.get().busy) return;
      $form.set({ busy: true, errors: {} });
      try {
        await changeNickname(nickname);
        nicknameDraft.clear();
        $form.setKey("busy", false);
      } catch (error) {
        $form.set({ busy: false, errors: toErrors(error) });
      }
    },
  };
}
