/** What a panel prints when it has started. */
export interface StartedPanel {
  readonly url: string;
  readonly setup_code: string | null;
  readonly recovery_url: string | null;
}

/** Where it is first, then how to get in, as long as that is open. */
export function panelFields({ url, setup_code, recovery_url }: StartedPanel): (readonly [string, string])[] {
  return [
    ['  Panel', url],
    ...(setup_code === null ? [] : [['  Set it up', `${url}/setup#${setup_code} (good for one hour)`] as const]),
    ...(recovery_url === null ? [] : [['  Recovery', `${recovery_url} (good once, for one hour)`] as const]),
  ];
}
