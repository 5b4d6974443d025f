import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { type Goal, type PlayerPoints, useGetGoalsQuery, useGetPlayerPointsQuery } from '@/api'
import { useLoggedError } from '@/api/more/LoadFailure'
import { formatPoints, formatPointsChange } from '@/entities/points/format'
import { missingText, movedByText } from '@/entities/points/texts'
import { MedalIcon } from '@/entities/record/Medal'
import { Time } from '@/entities/record/Time'
import { paths } from '@/routes/paths'
import type { User } from '@/session/session'
import { Box, Figure, Flex, HStack, Name, Panel, Skeleton, styled, Text } from '@/ui'
import { formatNumber, formatSeconds } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { Ago } from '@/ui/more/Ago'
import { SmallPart } from '@/ui/more/SmallPart'
import { noteVisit } from './visits'

/** Where the player who is logged in stands, what has changed since the last visit, and what to play next. */
export default function OwnOverview({ user }: { user: User }) {
  return (
    <>
      <Standing user={user} />
      <NextGoal />
    </>
  )
}

function Standing({ user }: { user: User }) {
  const { currentData, error } = useGetPlayerPointsQuery({ id: user._id, limit: 1 })
  useLoggedError('Failed to load the own points', error)
  const points = currentData?.data
  return (
    <SmallPart title={t`Your rank`}>
      {points ? <Rank points={points} /> : error ? <Text>–</Text> : <Skeleton h="20" />}
    </SmallPart>
  )
}

function Rank({ points }: { points: PlayerPoints }) {
  const { total, rank, ranked, missing } = points
  const id = points.player._id
  return (
    <>
      <Flex align="baseline" wrap="wrap" columnGap="3">
        {rank === null ? (
          <Text fontWeight="semibold">{missing ? missingText(missing) : <Trans>You are not ranked yet.</Trans>}</Text>
        ) : (
          <PageLink
            to={paths.rankingAround(id)}
            color={rank === 1 ? 'first.fg' : 'inherit'}
            gap="2"
            alignItems="baseline"
          >
            <Figure fontSize="4xl">{`#${formatNumber(rank)}`}</Figure>{' '}
            <Text as="span" textStyle="sm" color="fg.muted">{t`of ${formatNumber(ranked)}`}</Text>
          </PageLink>
        )}
        <Text as="span">
          <Figure fontSize="xl">{formatPoints(total)}</Figure>{' '}
          <Text as="span" textStyle="sm" color="fg.muted">{t`points`}</Text>
        </Text>
      </Flex>
      <Changes points={points} />
    </>
  )
}

/** How points and place have changed since the last visit with this browser, or within a week. */
function Changes({ points: { player, total, rank, change7d } }: { points: PlayerPoints }) {
  const [before] = useState(() => noteVisit(player._id, { points: total, rank, at: Date.now() }))
  if (before) {
    const places = before.rank !== null && rank !== null ? before.rank - rank : 0
    return (
      <Text textStyle="sm" color="fg.muted">
        <Trans>Since your last visit:</Trans> <Change points={total - before.points} places={places} />{' '}
        <span aria-hidden="true">·</span> <Ago iso={new Date(before.at).toISOString()} />
      </Text>
    )
  }
  if (!change7d) return null
  return (
    <Text textStyle="sm" color="fg.muted">
      <Trans>Last 7 days:</Trans> <Change points={change7d.points} places={change7d.places} />
    </Text>
  )
}

function Change({ points, places }: { points: number; places: number }) {
  if (Math.abs(points) < 0.05 && places === 0) return <Trans>nothing has changed</Trans>
  return (
    <Box as="span" color="fg">
      <Trans>{formatPointsChange(points)} points</Trans>
      {places !== 0 && (
        <>
          <span>, </span>
          <span>{movedByText(places)}</span>
        </>
      )}
    </Box>
  )
}

function NextGoal() {
  const { currentData, error } = useGetGoalsQuery()
  const goal = currentData?.data.goals[0]
  return (
    <SmallPart title={t`Your next goal`}>
      {goal ? (
        <GoalPanel goal={goal} />
      ) : currentData || error ? (
        <Text color="fg.muted">{t`No map is left for now.`}</Text>
      ) : (
        <Skeleton h="20" rounded="l3" />
      )}
    </SmallPart>
  )
}

function GoalPanel({ goal: { map, target, gap } }: { goal: Goal }) {
  return (
    <Panel px="4" py="3">
      <PageLink to={paths.leaderboard(map._id)} fontWeight="semibold" maxW="full">
        <styled.span minW="0">
          <Name>{map.name}</Name>
        </styled.span>
      </PageLink>
      <HStack gap="2" flexWrap="wrap" textStyle="sm">
        {target ? (
          <>
            {target.medal ? <MedalIcon medal={target.medal} size={5} /> : <span>{`#${target.rank}`}</span>}
            <Time ms={target.finishTime} />
          </>
        ) : (
          <Trans>Finish it</Trans>
        )}
        {gap !== null && <Text as="span" color="fg.muted">{t`${formatSeconds(gap)} to go`}</Text>}
      </HStack>
    </Panel>
  )
}
