import { useLocation } from '@tanstack/react-router';

/** The code that a link carries behind `#`, where no server and no log sees it. Empty: the link has none. */
export function useCodeOfLink(): string {
  return useLocation({ select: ({ hash }) => decoded(hash).trim() });
}

function decoded(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash; // a malformed `%`: the panel will refuse it as a code
  }
}
