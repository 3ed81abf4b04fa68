import { DEFAULT_SURFACE_ROLES } from '../../roles.ts';
import type { Settings } from './settings-record.ts';

export const DEFAULT_SETTINGS: Settings = {
  tokens: { max_lifetime_days: 366, surface_roles: { ...DEFAULT_SURFACE_ROLES } },
  api: { rate_per_s: 100, burst: 400 },
  audit: { retention_days: 400 },
  nodes: {
    address_pool: '100.64.0.0/10',
    address6_prefix: null,
    require_approval: false,
    heartbeat_interval_s: 15,
    stale_after_s: 45,
    unreachable_after_s: 300,
    drift_after_s: 60,
    port_mapping: false,
    removed_kept_days: 7,
  },
  operations: { timeout_s: 300, kept_days: 30 },
  relays: { move_gain_ms: 10, move_ratio_percent: 66, allow_special_addresses: false },
  dns: { routing_domains: [], allow_special_addresses: false },
  ca: {
    root_lifetime_days: 3650,
    intermediate_lifetime_days: 90,
    node_lifetime_s: 7 * 86_400,
    service_lifetime_s: 30 * 86_400,
    domains: [],
    distribution_url: null,
  },
  waf: { events_days: 30, events_most: 200_000 },
  events: { retention_days: 7 },
};
