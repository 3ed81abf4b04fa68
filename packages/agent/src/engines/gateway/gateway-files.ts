/** What is where in the gateway's folder. */
import { createHash } from 'node:crypto';
export const GATEWAY_FILES = {
  config: 'nginx.conf',
  /** What is tried before it becomes the configuration. */
  candidate: 'candidate.conf',
  /** What nginx begins with, until the agent has sent something. */
  live: 'live.json',
  /** Who visitors from the mesh are, until the agent has sent it. */
  identities: 'identities',
  /** In a folder that only root may enter: nginx opens it before it becomes another user. */
  control: 'control/control.sock',
  log: 'nginx.log',
  pid: 'nginx.pid',
  /** The numbers of processes that were started, one a line. */
  masters: 'masters',
  /** Which nodes stand in for each other, as of the last time that the configuration was loaded: see `stream-groups.ts`. */
  groups: 'groups.conf',
  /** Where the servers for HTTPS listen while the port is shared with connections that are passed through. */
  https: 'sockets/https.sock',
  /** Where nginx takes what is for the agent's own server of challenges, without the PROXY protocol then: see `challenges/`. */
  challenges: 'sockets/challenges.sock',
  /** That server. Not among the sockets of nginx, which go when it is started. */
  answers: 'challenges/answers.sock',
  /** A line for each request that was answered: see `traffic/access-log.ts`. */
  requests: 'traffic/requests.log',
  /** What was counted of them, and how far they were read. */
  counts: 'traffic/counts.json',
} as const;

/** Folders in it. Only root may enter `control`. */
export const GATEWAY_FOLDERS = {
  lua: 'lua',
  njs: 'njs',
  tls: 'tls',
  drain: 'drain',
  deadlines: 'deadlines',
  pages: 'pages',
  streams: 'streams',
  sockets: 'sockets',
  temp: 'temp',
  control: 'control',
  traffic: 'traffic',
  challenges: 'challenges',
} as const;

const CA = 'ca-';

/** What nodes that are spoken to by TLS have to be certified by. Named by its content: the one before is used until another is in effect. */
export function caFile(ca: string): string {
  return `${CA}${createHash('sha256').update(ca).digest('hex').slice(0, 32)}.pem`;
}

const LISTS = 'lists-';

/** What was revoked of certificates of clients. Named by its content: nginx reads it only when it loads its configuration. */
export function listsFile(lists: string): string {
  return `${LISTS}${createHash('sha256').update(lists).digest('hex').slice(0, 32)}.pem`;
}

/** A file whose name says what is in it. */
export function isNamedByContent(name: string): boolean {
  return name.startsWith(CA) || name.startsWith(LISTS);
}

export function luaFile(name: string): string {
  return `${GATEWAY_FOLDERS.lua}/${name}`;
}

export function njsFile(name: string): string {
  return `${GATEWAY_FOLDERS.njs}/${name}`;
}

/** Where connections of an ingress go that nginx does not look into. Read for each of them. */
export function streamFile(ingress: string): string {
  return `${GATEWAY_FOLDERS.streams}/${ingress}.json`;
}

/** Where the server of an ingress of the kind `tls` gets its connections from the one that reads their host name. */
export function streamSocket(ingress: string): string {
  return `${GATEWAY_FOLDERS.sockets}/${ingress}.sock`;
}

/** Where an ingress gets connections from proxies that it believes, while the port for HTTPS is shared. */
export function proxiesSocket(ingress: string): string {
  return `${GATEWAY_FOLDERS.sockets}/${ingress}-proxies.sock`;
}

/** Certificate and key of an ingress in one file, so that they are replaced at once. */
export function tlsFile(ingress: string): string {
  return `${GATEWAY_FOLDERS.tls}/${ingress}.pem`;
}

/** Is there while the ingress drains. Says since when, in seconds of Unix time. */
export function drainFile(ingress: string): string {
  return `${GATEWAY_FOLDERS.drain}/${ingress}`;
}

/** By when the drain of an ingress ends what is open, and how much that was: see `drain-deadlines.ts`. */
export function deadlineFile(ingress: string): string {
  return `${GATEWAY_FOLDERS.deadlines}/${ingress}`;
}

/** What requests of an ingress get while it is under maintenance. */
export function pageFile(ingress: string, kind: 'html' | 'txt'): string {
  return `${GATEWAY_FOLDERS.pages}/${ingress}.${kind}`;
}
