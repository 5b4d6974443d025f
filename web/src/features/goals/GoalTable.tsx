import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type Goal, useGetGoalsQuery, useListStartersQuery } from '@/api'
import type { QueryError } from '@/api/error'
import { LoadFailure, useLoggedError } from '@/api/more/LoadFailure'
import { MapLink } from '@/entities/map/more/MapLink'
import Course from '@/entities/progress/Course'
import { MedalIcon } from '@/entities/record/Medal'
import { Time, TimeWithMedal } from '@/entities/record/Time'
import { useSession } from '@/store/hooks'
import { Box, type Column, DataTable, HStack, IconButton, Stack, Text } from '@/ui'
import { formatSeconds } from '@/ui/format'
import { CloseIcon } from '@/ui/icons'
import { EmptyMessage } from '@/ui/messages'
import { usePutAside } from './usePutAside'

const ROWS = 5

/** The goals of the player who is logged in, or the maps to start with. */
export default function GoalTable() {
  return useSession() ? <OwnGoals /> : <Starters />
}

function Starters() {
  const query = useListStartersQuery()
  return (
    <Goals label={t`Maps to start with`} goals={query.currentData?.data} columns={newcomerColumns} {...query}>
      <Trans>Easy maps that many players have finished with a medal.</Trans>
    </Goals>
  )
}

function OwnGoals() {
  const query = useGetGoalsQuery()
  const answer = query.currentData?.data
  const putAside = usePutAside()
  return (
    <Goals
      label={t`Next goals`}
      goals={answer?.goals}
      columns={answer?.kind === 'newcomer' ? newcomerColumns : ownColumns}
      actions={({ map }) => (
        <IconButton
          size="sm"
          variant="ghost"
          aria-label={t`Put ${map.name} aside for a month`}
          title={t`Put aside for a month`}
          onClick={() => putAside(map)}
        >
          <CloseIcon size={4} />
        </IconButton>
      )}
      {...query}
    >
      {answer?.kind === 'newcomer' && <Trans>The easiest maps that you have not finished yet.</Trans>}
      {answer?.kind === 'goals' && <Trans>The medals and places that you are closest to.</Trans>}
    </Goals>
  )
}

interface Props {
  label: string
  goals: readonly Goal[] | undefined
  columns: readonly Column<Goal>[]
  actions?: (goal: Goal) => ReactNode
  error?: QueryError
  refetch: () => unknown
  /** Says what they are. */
  children: ReactNode
}

function Goals({ label, goals, columns, actions, error, refetch, children }: Props) {
  useLoggedError('Failed to load the maps to play next', error)
  if (!goals && error) {
    return <LoadFailure title={t`The maps to play next could not be loaded.`} onRetry={refetch} />
  }
  if (goals?.length === 0) {
    return <EmptyMessage title={t`No map is left for now.`} hint={t`New maps and faster players bring new goals.`} />
  }
  return (
    <Stack gap="2">
      <Text color="fg.muted" minH="6">
        {children}
      </Text>
      <DataTable
        label={label}
        columns={columns}
        rows={goals}
        idOf={({ map }) => map._id}
        skeletonRows={ROWS}
        rowHeight="3.5rem"
        {...(actions && { actions })}
      />
    </Stack>
  )
}

const map: Column<Goal> = {
  header: msg`Map`,
  width: '35%',
  cell: ({ map, mode }) => (
    <>
      <MapLink map={map} fontWeight="semibold" />
      <Box textStyle="xs" color="fg.muted">
        {mode}
      </Box>
    </>
  ),
}

const course: Column<Goal> = {
  header: msg`Course`,
  width: '35%',
  hideBelow: 'sm',
  cell: ({ medalTimes, best }) => (
    <Course scale="line" medals={medalTimes} worldRecord={null} ball={best && { ms: best.finishTime }} />
  ),
}

const best: Column<Goal> = {
  header: msg`Your best`,
  width: '7rem',
  hideBelow: 'lg',
  cell: ({ best }) =>
    best && (
      <HStack gap="2" whiteSpace="nowrap">
        <TimeWithMedal ms={best.finishTime} medal={best.medal} />
        <Text as="span" color="fg.muted" textStyle="sm">
          {`#${best.rank}`}
        </Text>
      </HStack>
    ),
}

const target: Column<Goal> = {
  header: msg`Goal`,
  width: '6rem',
  cell: ({ target }) =>
    target ? (
      <HStack gap="2" whiteSpace="nowrap">
        {target.medal ? <MedalIcon medal={target.medal} size={5} /> : <span>{`#${target.rank}`}</span>}
        <Time ms={target.finishTime} />
      </HStack>
    ) : (
      <Trans>Finish it</Trans>
    ),
}

const missing: Column<Goal> = {
  header: msg`Missing`,
  width: '4rem',
  muted: true,
  cell: ({ gap }) =>
    gap !== null && (
      <Text as="span" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
        {formatSeconds(gap)}
      </Text>
    ),
}

// Who has played none of the maps has no best on them.
const newcomerColumns = [map, course, target]
const ownColumns = [map, course, best, target, missing]
