/** What the relay said in place of what was asked for. */
export class TurnError extends Error {
  override readonly name = 'TurnError';
  readonly code: number;

  constructor(code: number) {
    super(`the relay refused with ${code}${MEANINGS.has(code) ? ` (${MEANINGS.get(code)})` : ''}`);
    this.code = code;
  }
}

/** Of RFC 8656, in words for the operator of the relay. */
const MEANINGS: ReadonlyMap<number, string> = new Map([
  [401, 'the credentials are wrong or have expired, or the clock of the relay is wrong'],
  [403, 'it may not send to that address'],
  [437, 'it has no such allocation'],
  [438, 'the nonce is stale'],
  [440, 'it has no address of that family'],
  [441, 'the allocation belongs to other credentials'],
  [486, 'the node has as many allocations as it may'],
  [508, 'it has no room for more allocations'],
]);
