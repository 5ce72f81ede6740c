/** What is wrong with a message of WeChat Pay. */
export interface Forgery {
  event?: string;
  /** Clock offset in milliseconds. */
  clock?: number;
  serial?: string;
  apiv3Key?: string;
  /** In place of an encrypted content. */
  resource?: object;
  /** Signed with an unknown key. */
  stranger?: boolean;
  /** Beside the content. */
  associatedData?: string | null;
  body?: (text: string) => string;
  headers?: (headers: Record<string, string>) => Record<string, string>;
}
