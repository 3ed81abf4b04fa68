/**
 * What the contract is made of apart from schemas: names, states, limits, patterns, permissions, roles. It is small, and
 * loads no schema, so agents, the client and pages in a browser import values from here, and types from anywhere.
 */
export * from './areas/settings/default-settings.ts';
export * from './boundary.ts';
export * from './heartbeat/features.ts';
export * from './heartbeat/limits.ts';
export * from './heartbeat/probe-kinds.ts';
export * from './heartbeat/sections.ts';
export * from './ids.ts';
export * from './path-words.ts';
export * from './permissions.ts';
export * from './person-names.ts';
export * from './roles.ts';
export * from './time.ts';
export * from './traffic-words.ts';
export * from './visible-text.ts';
export * from './vocabularies.ts';
