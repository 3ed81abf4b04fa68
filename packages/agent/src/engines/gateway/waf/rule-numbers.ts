/**
 * Numbers of our rules. Each policy has a range of its own, as numbers are there once in a configuration; reports have the number
 * within it, which stays when policies come and go. They lie beside those that exclusions may name.
 */
const FIRST = 20_000_000;
const EACH = 10_000;

/** Of the policy itself: they refuse. Those below 50 do not. */
export const CHECKS = {
  denied_network: 51,
  denied_country: 52,
  country_not_allowed: 53,
  method: 54,
  content_type: 55,
  content_types: 56,
  content_encoding: 57,
  body_not_understood: 58,
  multipart: 59,
  arguments: 60,
  argument_length: 61,
  file_size: 62,
  file_extension: 63,
  xml_document_type: 64,
  xml_encoding: 65,
} as const;

/** A rule of the operator, by its place. */
export const RULES_FROM = 100;
const RULES_TO = 199;
export const FLAGS_FROM = 1000;
export const EXCLUSIONS_FROM = 3000;
/** Says what the scores were. */
export const SUMMARY = 19_999_999;

export function numberIn(place: number, number: number): number {
  return FIRST + place * EACH + number;
}

export function ownNumber(id: number): number | undefined {
  return id < FIRST ? undefined : (id - FIRST) % EACH;
}

export function isCheck(number: number): boolean {
  return Object.values(CHECKS).some((check) => check === number);
}

export function isOfOperator(number: number): boolean {
  return number >= RULES_FROM && number <= RULES_TO;
}
