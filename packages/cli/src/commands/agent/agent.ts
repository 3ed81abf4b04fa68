import type { Command } from 'commander';
import { group } from '../../program.ts';
import { agentCheck } from './check.ts';
import { agentEnroll } from './enroll.ts';
import { agentReset } from './reset.ts';
import { agentRun } from './run.ts';
import { agentStatus } from './status.ts';

export function agent(): Command {
  return group('agent', 'Run this machine as a node of a mesh.', [
    agentEnroll(),
    agentRun(),
    agentStatus(),
    agentCheck(),
    agentReset(),
  ]);
}
