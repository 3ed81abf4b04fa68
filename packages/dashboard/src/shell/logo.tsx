interface LogoProps {
  readonly size: number;
}

/** Three nodes and the links between them. The same drawing is `public/icon.svg`. */
export function Logo({ size }: LogoProps) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#4263eb" />
      <path d="M16 8.5 8 22.5h16z" fill="none" stroke="#fff" strokeWidth="2" strokeLinejoin="round" />
      <circle cx="16" cy="8.5" r="3.5" fill="#fff" />
      <circle cx="8" cy="22.5" r="3.5" fill="#fff" />
      <circle cx="24" cy="22.5" r="3.5" fill="#fff" />
    </svg>
  );
}
