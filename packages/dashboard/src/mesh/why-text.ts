/** Why a relay was chosen, as a sentence begins. The name of a relay stays as it is. */
export function whyText(why: string): string {
  return why.replace(/^(?:the|no|pinned) /, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}
