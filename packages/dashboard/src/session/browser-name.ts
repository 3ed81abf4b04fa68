/** What a browser is called, as far as what it says of itself can be trusted: only to tell own sessions apart. */
export function browserName(user_agent: string): string {
  const browser = BROWSERS.find(([sign]) => user_agent.includes(sign))?.[1];
  const system = SYSTEMS.find(([sign]) => user_agent.includes(sign))?.[1];
  if (browser === undefined) return user_agent === '' ? 'Unknown' : user_agent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}

// In this order: most browsers also claim to be those further down.
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Chromium/', 'Chromium'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;
