import { useLocation } from '@tanstack/react-router';

/** The code that a link carries behind `#`, where no server and no log sees it. Empty: the link has none. */
export function useCodeOfLink(): string {
  return useLocation({ select: ({ hash }) => decoded(hash).trim() });
}

function decoded(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash; // somebody else's `%`: the panel will say that it is no code
  }
}
