import { i18n } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { type CaseSummary, useListCasesQuery } from '@/api/desk'
import { Listing, ListingStatus } from '@/api/Listing'
import { SubjectName } from '@/entities/moderation/SubjectName'
import { SUBJECTS } from '@/entities/moderation/texts'
import { paths } from '@/routes/paths'
import { Badge, Box, type Column, DataTable, Flex, Stack, Text } from '@/ui'
import { useAddress } from '@/ui/address'
import { choicesOf } from '@/ui/choices'
import { DateTime, sinceText } from '@/ui/format'
import { useKeys } from '@/ui/keys'
import { PageLink, rememberQuery } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { FilterSelect } from '@/ui/more/FilterSelect'
import { ClaimText } from './ClaimText'
import { type CasesView, casesAddress, casesRequest } from './caseQueries'
import { useNextCase } from './useNextCase'

const POLL_MS = 30_000

/** The cases that wait for a decision, or were decided. The address has the filters, the order and the page. */
export function CaseQueue() {
  const [view, show] = useAddress(casesAddress)
  const { search } = useLocation()
  const query = useListCasesQuery(casesRequest(view), {
    refetchOnMountOrArgChange: true,
    pollingInterval: POLL_MS,
    skipPollingIfUnfocused: true,
  })
  useEffect(() => rememberQuery(paths.desk, search), [search])
  const list = useRef<HTMLDivElement>(null)
  const move = (step: 1 | -1) => focusRow(list.current, step)
  useKeys({ n: useNextCase(), j: () => move(1), k: () => move(-1) })
  const closed = view.state === 'closed'
  return (
    <Stack gap="4">
      <Filters view={view} show={show} />
      <ListingStatus
        query={query}
        loading={t`Loading the cases...`}
        total={(count) => plural(count, { one: '# case', other: '# cases' })}
      />
      <Listing
        query={query}
        pages={{
          page: view.page,
          label: t`Pages of the cases`,
          pastEnd: t`This page is past the last case.`,
          onPage: (page) => show({ page }),
        }}
        empty={
          <EmptyMessage
            title={t`No cases found.`}
            hint={closed ? t`No decisions match these filters.` : t`Nothing is waiting for you with these filters.`}
          />
        }
      >
        {(cases) => (
          <Box ref={list}>
            <DataTable
              label={t`Cases`}
              columns={closed ? closedColumns : openColumns}
              rows={cases}
              idOf={({ _id }) => _id}
              skeletonRows={8}
              sorting={{
                sortBy: view.sort,
                sortDir: view.sort === 'age' && !closed ? 'asc' : 'desc',
                onSort: (sort) => show({ sort: sort === 'age' ? 'age' : 'priority' }),
              }}
              to={({ _id }) => paths.deskCase(_id)}
            />
          </Box>
        )}
      </Listing>
    </Stack>
  )
}

/** Moves the focus to the link of the next row or the one before, and to the first row from elsewhere. */
function focusRow(list: HTMLElement | null, step: 1 | -1): void {
  const links = Array.from(list?.querySelectorAll<HTMLElement>('tbody tr a:first-of-type') ?? [])
  const at = links.findIndex((link) => link.matches(':focus'))
  links[at < 0 ? 0 : at + step]?.focus()
}

function Filters({ view, show }: { view: CasesView; show: (change: Partial<CasesView>) => void }) {
  return (
    <Flex wrap="wrap" align="flex-end" gap="3">
      <FilterSelect
        label={t({ message: 'About', context: 'what a case is about' })}
        w={{ base: 'full', sm: '12rem' }}
        value={view.kind}
        choices={{ '': t`Everything`, ...choicesOf(SUBJECTS) }}
        onChoose={(kind) => show({ kind })}
      />
      <FilterSelect
        label={t`State`}
        w={{ base: 'full', sm: '12rem' }}
        value={view.state}
        choices={{ open: t`Open`, closed: t`Closed` }}
        onChoose={(state) => show({ state })}
      />
      {view.state === 'open' && (
        <FilterSelect
          label={t`Claimed`}
          w={{ base: 'full', sm: '12rem' }}
          value={view.assigned}
          choices={{
            '': t`Claimed or not`,
            free: t`Not claimed`,
            mine: t`Claimed by me`,
            claimed: t`Claimed by anyone`,
          }}
          onChoose={(assigned) => show({ assigned })}
        />
      )}
    </Flex>
  )
}

const reportsText = (count: number) => plural(count, { one: '# report', other: '# reports' })
const flagsText = (count: number) => plural(count, { one: '# flag', other: '# flags' })

/** What the other columns say, where the screen has no room for them. */
const countsText = (reports: number, flags: number) =>
  [reports > 0 ? ` · ${reportsText(reports)}` : '', flags > 0 ? ` · ${flagsText(flags)}` : ''].join('')

const what = {
  header: msg({ message: 'About', context: 'what a case is about' }),
  width: '80%',
  cell: ({ _id, subject, reports, flags, claim }: CaseSummary) => (
    <Box py="1">
      <PageLink to={paths.deskCase(_id)} fontWeight="semibold">
        <SubjectName subject={subject} />
      </PageLink>
      <Text textStyle="xs" color="fg.muted">
        <span>{i18n._(SUBJECTS[subject.kind])}</span>
        <Box as="span" hideFrom="md">
          {countsText(reports, flags)}
        </Box>
      </Text>
      {claim && (
        <Text hideFrom="md" textStyle="xs" color="fg.muted">
          <ClaimText claim={claim} />
        </Text>
      )}
    </Box>
  ),
} satisfies Column<CaseSummary>

const reports: Column<CaseSummary> = {
  header: msg`Reports`,
  width: '2rem',
  hideBelow: 'md',
  align: 'end',
  cell: ({ reports }) => reports,
}

const flags: Column<CaseSummary> = {
  header: msg`Flags`,
  width: '2rem',
  hideBelow: 'md',
  align: 'end',
  cell: ({ flags }) => (flags > 0 ? <Badge colorPalette="yellow">{flags}</Badge> : flags),
}

const priority: Column<CaseSummary> = {
  header: msg`Priority`,
  width: '2rem',
  align: 'end',
  sortBy: 'priority',
  cell: ({ priority }) => priority,
}

const opened: Column<CaseSummary> = {
  header: msg`Waiting time`,
  width: '5rem',
  sortBy: 'age',
  cell: ({ openedAt }) => <time dateTime={openedAt}>{sinceText(openedAt)}</time>,
}

const claimed: Column<CaseSummary> = {
  header: msg`Claimed`,
  width: '8rem',
  hideBelow: 'md',
  muted: true,
  cell: ({ claim }) => (claim ? <ClaimText claim={claim} /> : <Trans>Not claimed</Trans>),
}

const decided: Column<CaseSummary> = {
  header: msg`Closed`,
  width: '5rem',
  sortBy: 'age',
  cell: ({ closedAt }) => <DateTime iso={closedAt} />,
}

const openColumns = [what, reports, flags, priority, opened, claimed]
const closedColumns = [what, reports, flags, priority, decided]
