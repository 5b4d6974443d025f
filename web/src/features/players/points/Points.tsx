import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ModePoints, type Player, type PlayerPoints, useGetPlayerPointsQuery } from '@/api'
import { Loaded, QueryAlert } from '@/api/Loaded'
import { formatPoints, formatPointsChange } from '@/entities/points/format'
import { missingText, placesText } from '@/entities/points/texts'
import { paths } from '@/routes/paths'
import { Flex, Skeleton, Stack } from '@/ui'
import { page, text, useAddress } from '@/ui/address'
import { namedChoices } from '@/ui/choices'
import { Fact, Facts } from '@/ui/Facts'
import { formatNumber } from '@/ui/format'
import { ButtonLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { FilterSelect } from '@/ui/more/FilterSelect'
import { playerPoints } from '../queries'
import { PointsHistory } from './PointsHistory'
import { PointsSum } from './PointsSum'
import { WeekChange } from './WeekChange'

const pointsAddress = { pointsMode: text(), pointsPage: page }

/**
 * The points of a player: their rank, how both have changed, and the maps that they add up from. The address has the mode
 * and the page of maps.
 */
export default function Points({ player: { _id: playerId } }: { player: Player }) {
  const [{ pointsMode: mode, pointsPage: page }, show] = useAddress(pointsAddress)
  const query = useGetPlayerPointsQuery(playerPoints(playerId, page, mode))
  const { currentData, error, isFetching } = query
  return (
    <Loaded
      // With the choice of the mode.
      keep
      query={query}
      skeleton={<Skeleton h="16rem" rounded="l3" role="status" aria-label={t`Loading the points`} />}
    >
      {(points, { pagination }) => (
        <Stack gap="6">
          {(points.modes.length > 1 || mode) && (
            <ModeChoice modes={points.modes} mode={mode} onChoose={(pointsMode) => show({ pointsMode })} />
          )}
          {error && !currentData && !isFetching ? (
            <QueryAlert query={query} />
          ) : (
            <Stack gap="6" aria-busy={!currentData || undefined} opacity={currentData ? 1 : 0.6}>
              {points.missing ? (
                <EmptyMessage title={t`Not ranked yet`} hint={missingText(points.missing)}>
                  <Explanation />
                </EmptyMessage>
              ) : (
                <>
                  <Summary points={points} />
                  {!mode && <PointsHistory playerId={playerId} points={points} />}
                  {points.change7d && <WeekChange change={points.change7d} />}
                  <PointsSum
                    points={points}
                    maps={pagination.total}
                    page={page}
                    onPage={(pointsPage) => show({ pointsPage })}
                  />
                </>
              )}
            </Stack>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

interface ModeChoiceProps {
  modes: ModePoints[]
  /** Empty for all modes. */
  mode: string
  onChoose: (mode: string) => void
}

/** Chooses among the modes in which the player has points, and the one that the address names. */
function ModeChoice({ modes, mode, onChoose }: ModeChoiceProps) {
  return (
    <FilterSelect
      label={t`Game Mode`}
      w="12rem"
      value={mode}
      choices={{ '': t`All modes`, ...namedChoices([...modes.map(({ mode }) => mode), ...(mode ? [mode] : [])]) }}
      onChoose={onChoose}
    />
  )
}

function Explanation() {
  return <ButtonLink to={paths.formula} size="sm" variant="outline">{t`How points work`}</ButtonLink>
}

function Summary({ points: { player, total, rank, ranked, change7d } }: { points: PlayerPoints }) {
  return (
    <Flex wrap="wrap" justify="space-between" align="flex-end" gap="4">
      <Facts>
        <Fact strong label={t`Points`}>
          {formatPoints(total)}
        </Fact>
        {rank !== null && <Fact strong label={t`Rank`}>{t`${formatNumber(rank)} of ${formatNumber(ranked)}`}</Fact>}
        {rank !== null && change7d && (
          <Fact strong label={t`Last 7 days`}>
            {[formatPointsChange(change7d.points), placesText(rank + change7d.places, rank)].filter(Boolean).join(', ')}
          </Fact>
        )}
      </Facts>
      <Flex wrap="wrap" gap="3">
        <ButtonLink to={paths.rankingAround(player._id)} size="sm" variant="outline">
          <Trans>Show in the ranking</Trans>
        </ButtonLink>
        <Explanation />
      </Flex>
    </Flex>
  )
}
