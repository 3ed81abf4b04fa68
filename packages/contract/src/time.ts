/** The one spelling of a moment in records: `2027-01-31T00:00:00Z`. */
export function utc(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -5)}Z`;
}
