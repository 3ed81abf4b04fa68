/**
 * The names that an area adds to the mesh. `vocabularies.ts` lists them; permissions and kinds of ids derive from that
 * list. A vocabulary is plain data, like everything in a `vocabulary.ts`: it imports no schema, so that an agent or a page
 * can load it.
 */
export interface Vocabulary {
  /** Permission → what it allows. An operation needs exactly one. */
  readonly permissions?: Readonly<Record<`${string}:${string}`, string>>;
  /** Prefix of its ids → the word a person would use for the thing. */
  readonly ids?: Readonly<Record<string, string>>;
}
