/**
 * What runs inside nginx for connections that it does not look into. There is no Lua for them in Debian's nginx. Each connection
 * has a fresh interpreter that remembers nothing, so all that there is to know is in a file of its ingress, which the agent
 * replaces as a whole: see `../stream-live.ts`.
 *
 * In a module and not in a file of its own language for the same reason as in `../lua/program.ts`.
 */
import { DRAIN_GRACE_S } from '../live-state.ts';

/** The one that the configuration names. */
export const NJS_MODULE = 'mesh_streams';

const STREAMS_NJS = `// Written by the Meshwork agent, and read when nginx loads its configuration.
import fs from 'fs';

const GRACE_S = ${DRAIN_GRACE_S};
// Of a node's entry in the file.
const ADDRESS = 0, PORT = 1, WEIGHT = 2, SEED = 3, OPEN = 4;
// How many nodes behind the chosen one are asked for, to stand in for it.
const WINDOW = 4;

function access(s) {
    let live;
    try {
        live = JSON.parse(fs.readFileSync(s.variables.mesh_live));
    } catch (e) {
        s.error('where a connection goes cannot be read: ' + e.message);
        return s.deny();
    }
    if (live.ended) return s.deny();
    const since = live.draining;
    if (since !== null && Date.now() / 1000 - since >= GRACE_S) return s.deny();
    const to = placeFor(s, live);
    if (to === null) return s.deny();
    s.variables.mesh_to = to;
    s.decline(); // not "allow": the lists of networks come after this
}

function placeFor(s, live) {
    const value = live.balance === 'hash:address' ? numberOf(s.remoteAddress) : null;
    const pool = poolOf(live.pools, value);
    if (pool === null) return null;
    let chosen;
    if (value !== null) chosen = best(pool.peers, (peer) => draw(value, peer));
    else if (live.balance === 'least_connections') chosen = best(pool.peers, (peer) => chance(peer[WEIGHT] / (1 + peer[OPEN] / peer[WEIGHT])));
    else chosen = best(pool.peers, (peer) => chance(peer[WEIGHT]));
    return groupFor(s, live.pools, pool, chosen) || placeOf(pool.peers[chosen]);
}

// By the shares of the pools. Those without a node have none.
function poolOf(pools, value) {
    let drawn = value === null ? Math.random() * 100 : mixed(value) % 100;
    let last = null;
    for (let i = 0; i < pools.length; i++) {
        if (pools[i].percent <= 0 || pools[i].peers.length === 0) continue;
        last = pools[i];
        if (drawn < last.percent) return last;
        drawn -= last.percent;
    }
    return last;
}

function best(peers, score) {
    let at = 0, most = -1;
    for (let i = 0; i < peers.length; i++) {
        const own = score(peers[i]);
        if (own > most) { at = i; most = own; }
    }
    return at;
}

// The highest of such draws wins as often as its weight says.
function chance(weight) {
    return weight / -Math.log(Math.random() || 1e-12);
}

// Each node draws a number for the address, and the best one gets it. So a node that comes or goes moves its own share only.
function draw(value, peer) {
    return peer[WEIGHT] / -Math.log((mixed(value ^ peer[SEED]) + 1) / 4294967297);
}

function numberOf(text) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return hash >>> 0;
}

// Spreads all bits over all bits.
function mixed(a) {
    a = Math.imul(a ^ (a >>> 16), 0x85ebca6b);
    a = Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
    return (a ^ (a >>> 16)) >>> 0;
}

function placeOf(peer) {
    const address = peer[ADDRESS];
    return (address.indexOf(':') < 0 ? address : '[' + address + ']') + ':' + peer[PORT];
}

// Two nodes that may stand in for the chosen one, or one. A group is known if the configuration was loaded with it.
function groupFor(s, pools, pool, chosen) {
    if (s.variables.mesh_groups !== '1') return null;
    let others = pool.peers.slice(chosen + 1).concat(pool.peers.slice(0, chosen));
    pools.forEach((other) => { if (other !== pool) others = others.concat(other.peers); });
    others = others.slice(0, WINDOW);
    const first = named(pool.peers[chosen]);
    for (let i = 0; i < others.length; i++) {
        for (let j = i + 1; j < others.length; j++) {
            const three = known(s, first + '-' + named(others[i]) + '-' + named(others[j]));
            if (three) return three;
        }
    }
    for (let i = 0; i < others.length; i++) {
        const two = known(s, first + '-' + named(others[i]));
        if (two) return two;
    }
    return null;
}

function named(peer) {
    return peer[ADDRESS] + '_' + peer[PORT];
}

function known(s, name) {
    s.variables.mesh_group = name;
    return s.variables.mesh_has_group === '1' ? name : null;
}

// Whom connections are counted by: an address, or the /64 that it is in.
function client(s) {
    const address = s.remoteAddress;
    if (address.indexOf(':') < 0 || address.indexOf('.') >= 0) return address;
    const sides = address.split('::');
    const head = sides[0] === '' ? [] : sides[0].split(':');
    const tail = sides.length < 2 || sides[1] === '' ? [] : sides[1].split(':');
    while (head.length + tail.length < 8) head.push('0');
    return head.concat(tail).slice(0, 4).map((group) => parseInt(group, 16).toString(16)).join(':');
}

export default { access, client };
`;

/** By name of the file. */
export const NJS_FILES: Readonly<Record<string, string>> = { [`${NJS_MODULE}.js`]: STREAMS_NJS };
