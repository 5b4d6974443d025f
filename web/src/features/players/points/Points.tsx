import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSearchParams } from 'react-router'
import { type ModePoints, type Player, type PlayerPoints, useGetPlayerPointsQuery } from '@/api'
import { One, QueryAlert } from '@/api/One'
import { formatPoints, formatPointsChange } from '@/entities/points/format'
import { missingText, placesText } from '@/entities/points/texts'
import { paths } from '@/routes/paths'
import { Flex, Skeleton, Stack } from '@/ui'
import { namedChoices } from '@/ui/choices'
import { Fact, Facts } from '@/ui/Facts'
import { FilterSelect } from '@/ui/FilterSelect'
import { formatNumber } from '@/ui/format'
import { ButtonLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { pageIn, withPage } from '../partAddress'
import { playerPoints } from '../queries'
import { PointsHistory } from './PointsHistory'
import { PointsSum } from './PointsSum'
import { WeekChange } from './WeekChange'

// Their names in the address.
const MODE = 'pointsMode'
const PAGE = 'pointsPage'

// The longest that the server takes.
const MODE_LENGTH = 100

/**
 * The points of a player: their rank, how both have changed, and the maps that they add up from. The address has the mode
 * and the page of maps.
 */
export default function Points({ player: { _id: playerId } }: { player: Player }) {
  const [address, setAddress] = useSearchParams()
  const mode = (address.get(MODE) ?? '').slice(0, MODE_LENGTH)
  const page = pageIn(address, PAGE)
  const show = (mode: string, page: number) => {
    const changed = withPage(address, PAGE, page)
    if (mode) changed.set(MODE, mode)
    else changed.delete(MODE)
    setAddress(changed, { preventScrollReset: true })
  }
  const query = useGetPlayerPointsQuery(playerPoints(playerId, page, mode))
  const { currentData, data, error, isFetching } = query
  return (
    <One
      // The points that are shown stay while others load, and the choice of the mode where that fails.
      query={{ ...query, currentData: data }}
      skeleton={<Skeleton h="16rem" rounded="l3" role="status" aria-label={t`Loading the points`} />}
    >
      {(points) => (
        <Stack gap="6">
          {(points.modes.length > 1 || mode) && (
            <ModeChoice modes={points.modes} mode={mode} onChoose={(mode) => show(mode, 1)} />
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
                    maps={data?.pagination.total ?? 0}
                    page={page}
                    onPage={(page) => show(mode, page)}
                  />
                </>
              )}
            </Stack>
          )}
        </Stack>
      )}
    </One>
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
  return (
    <ButtonLink to={paths.formula} size="sm" variant="outline">
      <Trans>How points work</Trans>
    </ButtonLink>
  )
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
