import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type AuditEntry, useLazyExportAuditQuery, useListAuditQuery } from '@/api/desk'
import { errorText } from '@/api/error'
import { paths } from '@/routes/paths'
import { Box, Button, Code, type Column, DataTable, Field, Flex, Input, Stack, Text } from '@/ui'
import { formatMoment } from '@/ui/format'
import { ArrowRightIcon, DownloadIcon } from '@/ui/icons'
import { ButtonLink, PageLink } from '@/ui/links'
import { Listing } from '@/ui/lists'
import { EmptyMessage, ErrorAlert } from '@/ui/messages'
import { toaster } from '@/ui/toaster'
import { useResetState } from '@/ui/useResetState'
import { type AuditFilters, auditAddress, auditQuery, changedFields, filtersOf } from './auditView'

const messages = {
  refused: msg`Failed to load the audit log`,
  unreachable: msg`Something went wrong while loading data`,
}

/** What was changed by whom, the newest first. The address has the filters. */
export function AuditLog() {
  const [address, setAddress] = useSearchParams()
  const asked = auditQuery(address)
  const filters = filtersOf(address)
  const {
    currentData: page,
    error,
    isFetching,
    refetch,
  } = useListAuditQuery(asked, { refetchOnMountOrArgChange: true })
  const query = {
    currentData: page && { data: page.data, pagination: { total: page.data.length } },
    error,
    isFetching,
    refetch,
  }
  return (
    <Stack gap="4">
      <Filters filters={filters} onFilter={(to) => setAddress(auditAddress(to), { preventScrollReset: true })}>
        <ExportButton />
      </Filters>
      <Listing
        query={query}
        failed={<ErrorAlert text={errorText(error, messages)} onRetry={refetch} />}
        empty={<EmptyMessage title={t`Nothing was changed.`} hint={t`Other filters may show more.`} />}
        pagination={<Steps filters={filters} first={!asked.before} next={page?.pagination.next ?? null} />}
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
  filters: AuditFilters
  onFilter: (filters: AuditFilters) => void
  children: React.ReactNode
}

function Filters({ filters, onFilter, children }: FilterProps) {
  const [draft, setDraft] = useResetState(filters, JSON.stringify(filters))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFilter(draft)
  }
  const field = (name: keyof AuditFilters, label: string, type = 'search') => (
    <Field.Root w={{ base: 'full', sm: type === 'date' ? '10rem' : '14rem' }}>
      <Field.Label>{label}</Field.Label>
      <Input
        bg="bg.panel"
        type={type}
        value={draft[name]}
        onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
      />
    </Field.Root>
  )
  return (
    <Flex as="form" role="search" aria-label={t`Audit log`} wrap="wrap" align="flex-end" gap="3" onSubmit={submit}>
      {field('actor', t`Who (id, account or service)`)}
      {field('subject', t`What (id)`)}
      {field('action', t`Action`)}
      {field('from', t`From`, 'date')}
      {field('to', t`To`, 'date')}
      <Button type="submit">
        <Trans>Filter</Trans>
      </Button>
      {children}
    </Flex>
  )
}

/** Saves the rows of the filters in a file. */
function ExportButton() {
  const [address] = useSearchParams()
  const [exportAudit] = useLazyExportAuditQuery()
  const [loading, setLoading] = useState(false)
  const save = async () => {
    setLoading(true)
    const { limit, ...asked } = auditQuery(address)
    const { data, error } = await exportAudit(asked)
    setLoading(false)
    if (!data) {
      toaster.error({ id: 'export', title: errorText(error, t`The audit log could not be exported`) })
      return
    }
    const link = document.createElement('a')
    link.href = data
    link.download = 'audit.ndjson'
    link.click()
    URL.revokeObjectURL(data)
  }
  return (
    <Button variant="outline" loading={loading} onClick={save}>
      <DownloadIcon size={4} /> <Trans>Export as NDJSON</Trans>
    </Button>
  )
}

/** Leads to older rows, and back to the newest. */
function Steps({ filters, first, next }: { filters: AuditFilters; first: boolean; next: string | null }) {
  if (!next && first) return null
  const linkTo = (before?: string) => `${paths.deskAudit}?${new URLSearchParams(auditAddress(filters, before))}`
  return (
    <Flex as="nav" aria-label={t`Pages of the audit log`} justify="center" gap="3">
      {!first && (
        <ButtonLink to={linkTo()} variant="outline" size="sm">
          <Trans>Newest</Trans>
        </ButtonLink>
      )}
      {next && (
        <ButtonLink to={linkTo(next)} variant="outline" size="sm">
          <Trans>Older</Trans>
        </ButtonLink>
      )}
    </Flex>
  )
}

function Actor({ actor: { kind, id, name } }: AuditEntry) {
  if (kind === 'player') return <PageLink to={paths.player(id)}>{name}</PageLink>
  return (
    <>
      {name}
      <Text textStyle="xs" color="fg.muted">
        {kind === 'operator' ? t`Operator` : t`Service`}
      </Text>
    </>
  )
}

function Changes({ entry }: { entry: AuditEntry }) {
  return (
    <Stack as="ul" gap="1" aria-label={t`Changes`}>
      {changedFields(entry).map(({ name, before, after }) => (
        <Box as="li" key={name} textStyle="xs" overflowWrap="anywhere">
          <Text as="span" fontWeight="semibold">
            {name}
          </Text>{' '}
          <Value text={before} />{' '}
          <Box as="span" display="inline-block" verticalAlign="middle" role="img" aria-label={t`became`}>
            <ArrowRightIcon size={3} />
          </Box>{' '}
          <Value text={after} />
        </Box>
      ))}
    </Stack>
  )
}

const Value = ({ text }: { text: string }) => (text ? <Code size="xs">{text}</Code> : <Trans>nothing</Trans>)

const columns: Column<AuditEntry>[] = [
  {
    header: msg`When`,
    width: '8rem',
    cell: ({ _id, at }) => (
      <time dateTime={at} id={_id}>
        {formatMoment(new Date(at))}
      </time>
    ),
  },
  { header: msg`Who`, width: '6rem', cell: (entry) => <Actor {...entry} /> },
  {
    header: msg`Action`,
    width: '6rem',
    cell: ({ action, subjectId, subjectName }) => (
      <>
        {action}
        <Box textStyle="xs">
          <PageLink to={paths.auditOf(subjectId)} title={subjectId}>
            {subjectName ?? `${subjectId.slice(0, 8)}…`}
          </PageLink>
        </Box>
      </>
    ),
  },
  {
    header: msg`Why`,
    width: '8rem',
    hideBelow: 'md',
    cell: ({ reason }) => (
      <Text maxW="20rem" overflowWrap="anywhere">
        {reason}
      </Text>
    ),
  },
  { header: msg`Before and after`, width: '10rem', hideBelow: 'md', cell: (entry) => <Changes entry={entry} /> },
]
