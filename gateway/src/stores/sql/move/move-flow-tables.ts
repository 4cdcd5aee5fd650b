/** The tables of Flow Apps as `flowgate migrate-data` copies them. */

import type { Table } from './moved-table.ts';

export const movedFlowTables: readonly Table[] = [
  { name: 'flow_publishers', key: 'publisher', texts: ['owner_id'], integers: ['created_at'] },
  {
    name: 'flow_apps',
    key: 'app_id',
    texts: ['owner_id', 'name', 'description', 'visibility', 'subject_salt'],
    integers: ['created_at'],
  },
  {
    name: 'flow_versions',
    key: 'id',
    texts: ['app_id', 'version', 'manifest', 'sealed_secret', 'status'],
    integers: ['created_at', 'retired_at', 'health_misses'],
  },
  {
    name: 'flow_sessions',
    key: 'session_id',
    texts: ['user_id', 'app_id', 'version', 'status', 'step', 'state', 'launch_context'],
    integers: ['state_version', 'last_sequence', 'kept_bytes', 'created_at', 'updated_at', 'expires_at'],
  },
  { name: 'flow_responses', key: 'id', texts: ['session_id', 'body', 'headers'], integers: ['created_at'] },
  { name: 'flow_events', key: 'id', texts: ['session_id', 'type', 'data'], integers: ['sequence', 'at'] },
  { name: 'flow_removed_sessions', key: 'session_id', texts: [], integers: ['removed_at'] },
  { name: 'flow_app_data', key: 'id', texts: ['user_id', 'app_id', 'name', 'value'], integers: [] },
  {
    name: 'flow_payments',
    key: 'payment_id',
    texts: ['session_id', 'step_id', 'status', 'holder', 'requirements', 'terms', 'receipt'],
    integers: ['state_version', 'from_block', 'created_at', 'updated_at'],
  },
  {
    name: 'flow_subscriptions',
    key: 'subscription_id',
    texts: [
      'user_id',
      'app_id',
      'event_type',
      'target_url',
      'sealed_secret',
      'status',
      'disabled_reason',
      'disabled_in',
    ],
    integers: ['created_at', 'disabled_at'],
  },
  { name: 'flow_usage', key: 'user_id', texts: [], integers: ['bytes'] },
  { name: 'flow_app_data_usage', key: 'id', texts: [], integers: ['bytes', 'names'] },
  { name: 'flow_secret_marks', key: 'mark', texts: ['user_id', 'app_id'], integers: ['created_at'] },
];
