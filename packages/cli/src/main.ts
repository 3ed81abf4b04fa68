/**
 * `mesh`, the command-line program.
 *
 * Below is every command there is. A new one is a file `commands/<noun>/<verb>.ts` that exports a function making its
 * `Command`, and a line here. `session.ts` gives a command its client and its output; `config.ts` reads settings,
 * `exit-codes.ts` says how the program can end, and `report-failure.ts` how it says why.
 */
import { AREAS } from '@meshwork/contract';
import { aclCheck } from './commands/acl/check.ts';
import { aclDiff } from './commands/acl/diff.ts';
import { aclEdit } from './commands/acl/edit.ts';
import { aclPreview } from './commands/acl/preview.ts';
import { aclRestore } from './commands/acl/restore.ts';
import { aclSet } from './commands/acl/set.ts';
import { aclShow } from './commands/acl/show.ts';
import { aclValidate } from './commands/acl/validate.ts';
import { aclVersion } from './commands/acl/version.ts';
import { aclVersions } from './commands/acl/versions.ts';
import { agent } from './commands/agent/agent.ts';
import { auditExport } from './commands/audit/export.ts';
import { auditList } from './commands/audit/list.ts';
import { auditVerify } from './commands/audit/verify.ts';
import { coordinator } from './commands/coordinator.ts';
import { demo } from './commands/demo.ts';
import { events } from './commands/events.ts';
import { explain } from './commands/explain/explain.ts';
import { firewallAdd } from './commands/firewall/add.ts';
import { firewallChange } from './commands/firewall/change.ts';
import { firewallDelete } from './commands/firewall/delete.ts';
import { firewallList } from './commands/firewall/list.ts';
import { firewallMove } from './commands/firewall/move.ts';
import { firewallNode } from './commands/firewall/node.ts';
import { firewallPreview } from './commands/firewall/preview.ts';
import { firewallShow } from './commands/firewall/show.ts';
import { fleet } from './commands/fleet.ts';
import { ingressCreate } from './commands/ingress/create.ts';
import { ingressDelete } from './commands/ingress/delete.ts';
import { ingressDrain } from './commands/ingress/drain.ts';
import { ingressList } from './commands/ingress/list.ts';
import { ingressShow } from './commands/ingress/show.ts';
import { ingressUndrain } from './commands/ingress/undrain.ts';
import { ingressUpdate } from './commands/ingress/update.ts';
import { lab } from './commands/lab/lab.ts';
import { nodeApprove } from './commands/node/approve.ts';
import { nodeDiagnose } from './commands/node/diagnose.ts';
import { nodeDrain } from './commands/node/drain.ts';
import { nodeList } from './commands/node/list.ts';
import { nodePosture } from './commands/node/posture.ts';
import { nodeQuarantine } from './commands/node/quarantine.ts';
import { nodeRekey } from './commands/node/rekey.ts';
import { nodeRelay } from './commands/node/relay.ts';
import { nodeRelease } from './commands/node/release.ts';
import { nodeRemove } from './commands/node/remove.ts';
import { nodeRetag } from './commands/node/retag.ts';
import { nodeRoutes } from './commands/node/routes.ts';
import { nodeShow } from './commands/node/show.ts';
import { nodeUndrain } from './commands/node/undrain.ts';
import { openapi } from './commands/openapi.ts';
import { operationCancel } from './commands/operation/cancel.ts';
import { operationList } from './commands/operation/list.ts';
import { operationShow } from './commands/operation/show.ts';
import { operationWait } from './commands/operation/wait.ts';
import { overview } from './commands/overview/overview.ts';
import { panel } from './commands/panel.ts';
import { peerList } from './commands/peer/list.ts';
import { peerShow } from './commands/peer/show.ts';
import { relayCreate } from './commands/relay/create.ts';
import { relayDelete } from './commands/relay/delete.ts';
import { relayDrain } from './commands/relay/drain.ts';
import { relayList } from './commands/relay/list.ts';
import { relayShow } from './commands/relay/show.ts';
import { relayUndrain } from './commands/relay/undrain.ts';
import { relayUpdate } from './commands/relay/update.ts';
import { roleChange } from './commands/role/change.ts';
import { roleCreate } from './commands/role/create.ts';
import { roleDelete } from './commands/role/delete.ts';
import { roleList } from './commands/role/list.ts';
import { roleShow } from './commands/role/show.ts';
import { settingsSet } from './commands/settings/set.ts';
import { settingsShow } from './commands/settings/show.ts';
import { tokenCreate } from './commands/token/create.ts';
import { tokenList } from './commands/token/list.ts';
import { tokenRevoke } from './commands/token/revoke.ts';
import { tokenRotate } from './commands/token/rotate.ts';
import { tokenShow } from './commands/token/show.ts';
import { up } from './commands/up.ts';
import { userAdd } from './commands/user/add.ts';
import { userChange } from './commands/user/change.ts';
import { userDisable, userEnable } from './commands/user/disable.ts';
import { userEndSession, userEndSessions } from './commands/user/end-session.ts';
import { userInvite } from './commands/user/invite.ts';
import { userList } from './commands/user/list.ts';
import { userRemove } from './commands/user/remove.ts';
import { userSessions } from './commands/user/sessions.ts';
import { userShow } from './commands/user/show.ts';
import { whoami } from './commands/whoami.ts';
import { noun, program } from './program.ts';
import { runProgram } from './run-program.ts';

const mesh = program([
  up(),
  coordinator(),
  panel(),
  agent(),
  demo(),
  whoami(),
  overview(),
  noun('token', AREAS.tokens?.description, [tokenCreate(), tokenList(), tokenShow(), tokenRotate(), tokenRevoke()]),
  noun('user', 'The people who can sign in to the panel, and their sessions.', [
    userAdd(),
    userList(),
    userShow(),
    userChange(),
    userInvite(),
    userDisable(),
    userEnable(),
    userRemove(),
    userSessions(),
    userEndSession(),
    userEndSessions(),
  ]),
  noun('role', AREAS.roles?.description, [roleCreate(), roleList(), roleShow(), roleChange(), roleDelete()]),
  noun('node', AREAS.nodes?.description, [
    nodeList(),
    nodeShow(),
    nodePosture(),
    nodeApprove(),
    nodeRekey(),
    nodeDiagnose(),
    nodeRetag(),
    nodeRelay(),
    nodeRoutes(),
    nodeDrain(),
    nodeUndrain(),
    nodeQuarantine(),
    nodeRelease(),
    nodeRemove(),
  ]),
  noun('operation', AREAS.operations?.description, [
    operationList(),
    operationShow(),
    operationWait(),
    operationCancel(),
  ]),
  noun('peer', AREAS.peers?.description, [peerList(), peerShow()]),
  noun('relay', AREAS.relays?.description, [
    relayCreate(),
    relayList(),
    relayShow(),
    relayUpdate(),
    relayDrain(),
    relayUndrain(),
    relayDelete(),
  ]),
  noun('ingress', AREAS.ingress?.description, [
    ingressCreate(),
    ingressList(),
    ingressShow(),
    ingressUpdate(),
    ingressDrain(),
    ingressUndrain(),
    ingressDelete(),
  ]),
  explain(),
  noun('acl', AREAS.acls?.description, [
    aclShow(),
    aclEdit(),
    aclSet(),
    aclValidate(),
    aclPreview(),
    aclCheck(),
    aclVersions(),
    aclVersion(),
    aclDiff(),
    aclRestore(),
  ]),
  noun('firewall', AREAS.firewall?.description, [
    firewallList(),
    firewallShow(),
    firewallAdd(),
    firewallChange(),
    firewallMove(),
    firewallDelete(),
    firewallPreview(),
    firewallNode(),
  ]),
  events(),
  noun('settings', AREAS.settings?.description, [settingsShow(), settingsSet()]),
  noun('audit', AREAS.audit?.description, [auditList(), auditExport(), auditVerify()]),
  lab(),
  fleet(),
  openapi(),
]);

await runProgram(mesh);
