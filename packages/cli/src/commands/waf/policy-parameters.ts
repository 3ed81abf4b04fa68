import { bytes } from '../../arguments.ts';
import { wafRule } from './waf-rule.ts';

/** Flags for what a policy makes of a request. */
export const POLICY = {
  note: { value: 'text', help: 'for people', off_help: 'remove the note' },
  mode: {
    help: 'inspect nothing (off), inspect and record while all requests pass (detect), or also refuse those that reach a threshold (block)',
  },
  early_blocking: {
    help: 'judge a request by its headers before the rest is read; only rule sets from version 4 can',
    off: 'no-early-blocking',
    off_help: 'judge a request when all of it is there',
  },
  sampling_percent: { flag: 'sampling', value: 'percent', help: 'how many of 100 requests are inspected, by chance' },
  inspect_responses: {
    help: 'hold answers of services back until they were inspected',
    off: 'no-inspect-responses',
    off_help: 'let answers through as they come',
  },
  'paranoia.block': { flag: 'paranoia', value: 'level', help: 'rules up to this level count towards the thresholds' },
  'paranoia.detect': {
    flag: 'detect-paranoia',
    value: 'level',
    help: 'rules up to this level are recorded; at least as high as --paranoia',
  },
  'thresholds.inbound': { flag: 'threshold-in', value: 'score', help: 'score from which a request is refused' },
  'thresholds.outbound': { flag: 'threshold-out', value: 'score', help: 'score from which an answer is refused' },
  'requests.methods': { flag: 'method', value: 'method', help: 'methods that a request may have, all that there are' },
  'requests.content_types': {
    flag: 'content-type',
    value: 'type',
    help: 'types of content that a request may carry, all that there are: application/json',
  },
  'requests.body_bytes': {
    flag: 'body-limit',
    value: 'amount',
    help: 'how much a request may carry: 13MB; larger ones are refused, because nothing passes uninspected',
    read: bytes,
  },
  'requests.arguments_most': {
    flag: 'arguments',
    help: 'how many arguments a request may have',
    off_help: 'any number of arguments',
  },
  'requests.argument_bytes': {
    flag: 'argument-length',
    value: 'amount',
    help: 'how long the value of an argument may be',
    off_help: 'any length',
    read: bytes,
  },
  'requests.file_bytes': {
    flag: 'file-limit',
    value: 'amount',
    help: 'how large an uploaded file may be',
    off_help: 'any size within --body-limit',
    read: bytes,
  },
  'requests.denied_extensions': {
    flag: 'deny-extension',
    value: 'extension',
    help: 'ends of names that no uploaded file may have, all that there are: exe',
  },
  'clients.trusted': {
    flag: 'trust',
    value: 'cidr',
    help: 'networks whose requests are not inspected, all that there are',
  },
  'clients.denied': { flag: 'deny', value: 'cidr', help: 'networks whose requests are refused, all that there are' },
  'clients.allowed_countries': {
    flag: 'country',
    value: 'code',
    help: 'only requests from these countries pass, all that there are: DE; gateways need a data file of countries',
  },
  'clients.denied_countries': {
    flag: 'deny-country',
    value: 'code',
    help: 'requests from these countries are refused, all that there are',
  },
  rules: {
    value: 'rule',
    help: "a rule of your own, all that there are, in their order: 'no-xmlrpc: block if path equals /xmlrpc.php'; see below",
    read_each: wafRule,
  },
} as const;

/** A new policy has no lists, and one that has some can lose them. */
export const NO_LISTS = {
  'requests.content_types': { ...POLICY['requests.content_types'], off: 'no-content-type', off_help: 'any type' },
  'requests.denied_extensions': {
    ...POLICY['requests.denied_extensions'],
    off: 'no-deny-extension',
    off_help: 'files of any name',
  },
  'clients.trusted': { ...POLICY['clients.trusted'], off: 'no-trust', off_help: 'inspect requests from all networks' },
  'clients.denied': { ...POLICY['clients.denied'], off: 'no-deny', off_help: 'refuse no network' },
  'clients.allowed_countries': {
    ...POLICY['clients.allowed_countries'],
    off: 'no-country',
    off_help: 'requests from all countries pass',
  },
  'clients.denied_countries': {
    ...POLICY['clients.denied_countries'],
    off: 'no-deny-country',
    off_help: 'refuse no country',
  },
  rules: { ...POLICY.rules, off: 'no-rule', off_help: 'no rules of your own' },
} as const;
