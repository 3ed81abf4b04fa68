/**
 * A small rule set that is made like the Core Rule Set 4: its names of variables, its levels, and its judgement by headers alone. The
 * Core Rule Set 4 itself is in no package that the tests could take.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const VERSION = '4.99.0';
const LEVELS = [1, 2, 3, 4];
const zero = (name: string) => LEVELS.map((level) => `setvar:'tx.${name}_pl${level}=0'`).join(',');

const INITIALIZATION = `SecComponentSignature "OWASP_CRS/${VERSION}"
SecRule &TX:crs_setup_version "@eq 0" "id:901001,phase:1,deny,status:500,log,tag:'OWASP_CRS'"
SecRule &TX:early_blocking "@eq 0" "id:901115,phase:1,pass,nolog,tag:'OWASP_CRS',setvar:'tx.early_blocking=0'"
SecRule &TX:blocking_paranoia_level "@eq 0" "id:901120,phase:1,pass,nolog,tag:'OWASP_CRS',setvar:'tx.blocking_paranoia_level=1'"
SecRule &TX:detection_paranoia_level "@eq 0" "id:901125,phase:1,pass,nolog,tag:'OWASP_CRS',setvar:'tx.detection_paranoia_level=1'"
SecAction "id:901200,phase:1,pass,nolog,tag:'OWASP_CRS',setvar:'tx.critical_anomaly_score=5',\\
  setvar:'tx.blocking_inbound_anomaly_score=0',${zero('inbound_anomaly_score')},${zero('outbound_anomaly_score')}"
`;

const found = (id: number, phase: number, level: number, what: string) =>
  `SecRule TX:DETECTION_PARANOIA_LEVEL "@lt ${level}" "id:${id + 500},phase:${phase},pass,nolog,tag:'OWASP_CRS',skipAfter:END-${id}"
SecRule ${what} "id:${id},phase:${phase},block,capture,log,msg:'Found',logdata:'Matched Data: %{TX.0} found within %{MATCHED_VAR_NAME}: %{MATCHED_VAR}',\\
  tag:'attack-test',tag:'OWASP_CRS',tag:'paranoia-level/${level}',severity:'CRITICAL',\\
  setvar:'tx.inbound_anomaly_score_pl${level}=+%{tx.critical_anomaly_score}'"
SecMarker "END-${id}"
`;

const added = (id: number, phase: number) =>
  `SecAction "id:${id},phase:${phase},pass,nolog,tag:'OWASP_CRS',setvar:'tx.blocking_inbound_anomaly_score=0'"
${LEVELS.map((level) => `SecRule TX:BLOCKING_PARANOIA_LEVEL "@ge ${level}" "id:${id + level},phase:${phase},pass,nolog,tag:'OWASP_CRS',setvar:'tx.blocking_inbound_anomaly_score=+%{tx.inbound_anomaly_score_pl${level}}'"`).join('\n')}
`;
const JUDGEMENT = `${added(949050, 1)}${added(949060, 2)}
SecRule TX:BLOCKING_INBOUND_ANOMALY_SCORE "@ge %{tx.inbound_anomaly_score_threshold}" "id:949111,phase:1,deny,status:403,log,tag:'OWASP_CRS',severity:'CRITICAL',chain"
  SecRule TX:EARLY_BLOCKING "@eq 1" "t:none"
SecRule TX:BLOCKING_INBOUND_ANOMALY_SCORE "@ge %{tx.inbound_anomaly_score_threshold}" "id:949110,phase:2,deny,status:403,log,tag:'OWASP_CRS',severity:'CRITICAL'"
`;

/** In the layout of a release. */
export async function writeRuleSet4(folder: string): Promise<string> {
  await mkdir(join(folder, 'rules'));
  const rules = {
    'REQUEST-901-INITIALIZATION.conf': INITIALIZATION,
    'REQUEST-942-APPLICATION-ATTACK-SQLI.conf':
      found(942100, 2, 1, 'ARGS "@rx attack"') +
      found(942200, 2, 2, 'ARGS "@rx odd"') +
      found(942300, 1, 1, 'REQUEST_HEADERS:X-Test "@rx attack"'),
    'REQUEST-949-BLOCKING-EVALUATION.conf': JUDGEMENT,
  };
  for (const [name, text] of Object.entries(rules)) await writeFile(join(folder, 'rules', name), text);
  await writeFile(join(folder, 'crs-setup.conf.example'), '');
  return VERSION;
}
