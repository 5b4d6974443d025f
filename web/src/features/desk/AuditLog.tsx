import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { FormEvent } from 'react'
import { type AuditEntry, useListAuditQuery } from '@/api/desk'
import { Listing } from '@/api/Listing'
import { paths } from '@/routes/paths'
import { Box, Button, type Column, DataTable, type Elements, Field, Flex, Input, Name, Stack, Text } from '@/ui'
import { useAddress } from '@/ui/address'
import { formatMoment } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { OlderPagination } from '@/ui/more/OlderPagination'
import { ValueChange } from '@/ui/more/ValueChange'
import { useResetState } from '@/ui/useResetState'
import { type AuditView, auditAddress, auditRequest, changedFields } from './auditQueries'
import { SaveFileButton } from './SaveFileButton'

/** What was changed by whom, the newest first. The address has the filters. */
export function AuditLog() {
  const [view, show, linkTo] = useAddress(auditAddress)
  const asked = auditRequest(view)
  const { limit, ...filtered } = asked
  const query = useListAuditQuery(asked, { refetchOnMountOrArgChange: true })
  return (
    <Stack gap="4">
      <Filters view={view} onFilter={({ before: _, ...filters }) => show(filters)}>
        <SaveFileButton
          of={{ url: '/desk/audit/export', params: filtered }}
          name="audit.ndjson"
          failure={t`The audit log could not be exported`}
        >
          <Trans>Export as NDJSON</Trans>
        </SaveFileButton>
      </Filters>
      <Listing
        query={query}
        empty={<EmptyMessage title={t`Nothing was changed.`} hint={t`Other filters may show more.`} />}
        pagination={
          <OlderPagination
            label={t`Pages of the audit log`}
            before={asked.before}
            next={query.currentData?.pagination.next}
            linkTo={(before = '') => linkTo({ before })}
          />
        }
      >
        {(rows) => (
          <DataTable
            label={t`Audit log`}
            columns={columns}
            rows={rows}
            idOf={({ _id }) => _id}
            skeletonRows={10}
            rowHeight="4rem"
          />
        )}
      </Listing>
    </Stack>
  )
}

interface FilterProps {
  view: AuditView
  onFilter: (view: AuditView) => void
  children: Elements
}

function Filters({ view, onFilter, children }: FilterProps) {
  const [draft, setDraft] = useResetState(view, JSON.stringify(view))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFilter(draft)
  }
  const field = (name: keyof AuditView, label: string, placeholder?: string) => (
    <Field.Root w={{ base: 'full', sm: '12rem', lg: placeholder ? '12rem' : '9.5rem' }}>
      <Field.Label>{label}</Field.Label>
      <Input
        bg="bg.panel"
        type={name === 'from' || name === 'to' ? 'date' : 'search'}
        placeholder={placeholder}
        value={draft[name]}
        onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
      />
    </Field.Root>
  )
  return (
    <Flex as="form" role="search" aria-label={t`Audit log`} wrap="wrap" align="flex-end" gap="3" onSubmit={submit}>
      {field('actor', t`Changed by`, t`Id, account or service`)}
      {field('subject', t({ message: 'About', context: 'what a case is about' }), t`Id`)}
      {field('action', t`Action`, t`Such as “claim case”`)}
      {field('from', t`From`)}
      {field('to', t`To`)}
      <Button type="submit">
        <Trans>Filter</Trans>
      </Button>
      {children}
    </Flex>
  )
}

function Actor({ actor: { kind, id, name } }: AuditEntry) {
  if (kind === 'player')
    return (
      <PageLink to={paths.player(id)}>
        <Name>{name}</Name>
      </PageLink>
    )
  return (
    <>
      <Name>{name}</Name>{' '}
      <Text as="span" display={{ lg: 'block' }} textStyle="xs" color="fg.muted">
        {kind === 'operator' ? t`Operator` : t`Service`}
      </Text>
    </>
  )
}

function Changes({ entry }: { entry: AuditEntry }) {
  return (
    <Stack as="ul" gap="1" py={{ lg: '2' }} aria-label={t`Changes`}>
      {changedFields(entry).map(({ name, before, after }) => (
        <Box as="li" key={name} textStyle="xs">
          <Text as="span" fontWeight="semibold">
            {name}
          </Text>{' '}
          <ValueChange before={before} after={after} />
        </Box>
      ))}
    </Stack>
  )
}

/** What the other columns say, where the screen has no room for them. */
function NarrowDetails({ entry }: { entry: AuditEntry }) {
  return (
    <Stack hideFrom="lg" mt="2" gap="2">
      <Box>
        <Trans context="whose change">
          by <Actor {...entry} />
        </Trans>
      </Box>
      {entry.reason && <Text>{entry.reason}</Text>}
      <Changes entry={entry} />
    </Stack>
  )
}

const columns: Column<AuditEntry>[] = [
  {
    header: msg`When`,
    width: '8rem',
    cell: ({ _id, at }) => (
      <time dateTime={at} id={_id}>
        {formatMoment(at)}
      </time>
    ),
  },
  { header: msg`Who`, width: '6rem', hideBelow: 'lg', cell: (entry) => <Actor {...entry} /> },
  {
    header: msg`Action`,
    width: '6rem',
    cell: (entry) => (
      <Box py="2">
        <span>{entry.action}</span>
        <Box textStyle="xs">
          <PageLink to={paths.auditOf(entry.subjectId)} title={entry.subjectId}>
            {entry.subjectName ?? `${entry.subjectId.slice(0, 8)}…`}
          </PageLink>
        </Box>
        <NarrowDetails entry={entry} />
      </Box>
    ),
  },
  {
    header: msg`Why`,
    width: '8rem',
    hideBelow: 'lg',
    cell: ({ reason }) => <Text maxW="20rem">{reason}</Text>,
  },
  { header: msg`Before and after`, width: '10rem', hideBelow: 'lg', cell: (entry) => <Changes entry={entry} /> },
]
