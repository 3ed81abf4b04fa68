/** What is where in the gateway's folder. */
import { createHash } from 'node:crypto';
export const GATEWAY_FILES = {
  config: 'nginx.conf',
  /** What is tried before it becomes the configuration. */
  candidate: 'candidate.conf',
  /** What nginx begins with, until the agent has sent something. */
  live: 'live.json',
  /** In a folder that only root may enter: nginx opens it before it becomes another user. */
  control: 'control/control.sock',
  log: 'nginx.log',
  pid: 'nginx.pid',
  /** The numbers of processes that were started, one a line. */
  masters: 'masters',
} as const;

/** Folders in it. Only root may enter `control`. */
export const GATEWAY_FOLDERS = {
  lua: 'lua',
  tls: 'tls',
  drain: 'drain',
  pages: 'pages',
  temp: 'temp',
  control: 'control',
} as const;

const CA = 'ca-';

/** What nodes that are spoken to by TLS have to be certified by. Named by its content: the one before is used until another is in effect. */
export function caFile(ca: string): string {
  return `${CA}${createHash('sha256').update(ca).digest('hex').slice(0, 32)}.pem`;
}

export function isCaFile(name: string): boolean {
  return name.startsWith(CA);
}

export function luaFile(name: string): string {
  return `${GATEWAY_FOLDERS.lua}/${name}`;
}

/** Certificate and key of an ingress in one file, so that they are replaced at once. */
export function tlsFile(ingress: string): string {
  return `${GATEWAY_FOLDERS.tls}/${ingress}.pem`;
}

/** Is there while the ingress drains. Says since when, in seconds of Unix time. */
export function drainFile(ingress: string): string {
  return `${GATEWAY_FOLDERS.drain}/${ingress}`;
}

/** What requests of an ingress get while it is under maintenance. */
export function pageFile(ingress: string, kind: 'html' | 'txt'): string {
  return `${GATEWAY_FOLDERS.pages}/${ingress}.${kind}`;
}
