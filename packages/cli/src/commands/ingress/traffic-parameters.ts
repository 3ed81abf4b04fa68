import { bytes } from '../../arguments.ts';
import { burstOf, header } from './read-ingress.ts';

/** Flags for what passes through an ingress, and how. */
export const TRAFFIC = {
  traffic: { spread: true },
  'traffic.limits': { spread: true },
  'traffic.networks.allow': {
    flag: 'allow-network',
    value: 'cidr',
    help: 'only clients from these networks pass, all that there are: 10.0.0.0/8',
  },
  'traffic.networks.deny': {
    flag: 'deny-network',
    value: 'cidr',
    help: 'clients from these networks do not pass, all that there are',
  },
  'traffic.limits.requests.rate': {
    flag: 'limit-requests',
    value: 'rate',
    help: 'how many requests one address may send at each gateway: 20/s or 100/m',
    off_help: 'any number of requests',
  },
  'traffic.limits.requests.burst': {
    flag: 'limit-burst',
    help: 'how many more it may send at once (default: as many as in one second, or minute)',
    otherwise: burstOf,
  },
  'traffic.limits.connections': {
    flag: 'limit-connections',
    help: 'how many requests or connections one address may have open at each gateway',
    off_help: 'any number of them',
  },
  'traffic.limits.by': {
    flag: 'limit-by',
    help: 'what these limits count by: the address, or the identity of a node or a certificate, where one is known',
  },
  'traffic.request_headers': {
    flag: 'request-header',
    value: 'header',
    help: "a header on the way to the service, all that there are: 'X-Env: prod' sets it, 'X-Powered-By:' removes it",
    read_each: header,
  },
  'traffic.response_headers': {
    flag: 'response-header',
    value: 'header',
    help: 'the same on the way to the client',
    read_each: header,
  },
  'traffic.max_body_bytes': {
    flag: 'max-body',
    value: 'amount',
    help: 'how much a request may carry at most: 50MB',
    off_help: 'requests of any size',
    read: bytes,
  },
  'traffic.connect_timeout_s': { flag: 'connect-timeout', help: 'time that a node may take to accept a connection' },
  'traffic.idle_timeout_s': {
    flag: 'idle-timeout',
    help: 'time without a byte after which a request, a websocket or a connection is ended',
  },
  'traffic.compress': {
    flag: 'compress',
    help: 'compress text for clients that take it',
    off: 'no-compress',
    off_help: 'send everything as the service sends it',
  },
} as const;
