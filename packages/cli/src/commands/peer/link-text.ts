export function age(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? '-' : `${Math.round(seconds)} s ago`;
}

export function measured(value: number | null | undefined, unit: string): string {
  return value === null || value === undefined ? '-' : `${value} ${unit}`;
}
