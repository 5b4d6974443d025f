import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  type CaseSubject,
  type DecisionKind,
  type HidingEffects,
  type MapEffects,
  type RecordEffects,
  useGetHidingEffectsQuery,
  useGetMapEffectsQuery,
  useGetRecordEffectsQuery,
} from '@/api/desk'
import { formatTime } from '@/entities/record/raceTime'
import { List, Skeleton, Text } from '@/ui'

interface Props {
  kind: DecisionKind
  subject: CaseSubject
  keepRecords: boolean
}

/** What a decision changes in numbers, for the kinds that change something now. */
export function Effects({ kind, subject, keepRecords }: Props) {
  if (kind === 'remove_record') return <OfRecord id={subject.id} />
  if (kind === 'remove_map' || kind === 'unrank_map') return <OfMap id={subject.id} kind={kind} />
  if (kind === 'ban' && !keepRecords && subject.player) return <OfHiding id={subject.player._id} />
  return null
}

function OfRecord({ id }: { id: string }) {
  const { currentData, isError } = useGetRecordEffectsQuery({ id })
  return <Sentences sentences={currentData && recordEffects(currentData.data)} failed={isError} />
}

function OfMap({ id, kind }: { id: string; kind: 'remove_map' | 'unrank_map' }) {
  const { currentData, isError } = useGetMapEffectsQuery({ id })
  return <Sentences sentences={currentData && mapEffects(currentData.data, kind)} failed={isError} />
}

function OfHiding({ id }: { id: string }) {
  const { currentData, isError } = useGetHidingEffectsQuery({ id })
  return <Sentences sentences={currentData && hidingEffects(currentData.data)} failed={isError} />
}

function Sentences({ sentences, failed }: { sentences: string[] | undefined; failed: boolean }) {
  if (sentences) {
    return (
      <List.Root ps="5" aria-label={t`What it changes`}>
        {sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List.Root>
    )
  }
  if (failed) {
    return (
      <Text role="alert" color="fg.error">
        <Trans>What it changes in numbers could not be loaded.</Trans>
      </Text>
    )
  }
  return <Skeleton h="12" role="status" aria-label={t`Loading what it changes`} />
}

function recordEffects({ movedUp, nextBest, worldRecord, nextWorldRecord }: RecordEffects): string[] {
  const sentences = [t`Removes 1 record.`]
  if (nextWorldRecord) {
    const { player, finishTime } = nextWorldRecord
    sentences.push(t`Gives the world record back to ${player.name} (${formatTime(finishTime)}).`)
  } else if (worldRecord) sentences.push(t`The map has no world record then.`)
  if (nextBest) sentences.push(t`Another record of the player takes a place on the leaderboard.`)
  if (movedUp > 0) sentences.push(plural(movedUp, { one: '# player moves up.', other: '# players move up.' }))
  return sentences
}

function mapEffects({ records, players }: MapEffects, kind: 'remove_map' | 'unrank_map'): string[] {
  const ofPlayers = plural(players, { one: 'of # player', other: 'of # players' })
  return [
    kind === 'remove_map'
      ? plural(records, { one: `Removes # record ${ofPlayers}.`, other: `Removes # records ${ofPlayers}.` })
      : plural(records, {
          one: `# record ${ofPlayers} gives no points.`,
          other: `# records ${ofPlayers} give no points.`,
        }),
  ]
}

function hidingEffects({ records, maps, worldRecords, givenBack }: HidingEffects): string[] {
  const onLeaderboards = plural(maps, { one: 'on # leaderboard', other: 'on # leaderboards' })
  const sentences = [
    plural(records, { one: `Hides # record ${onLeaderboards}.`, other: `Hides # records ${onLeaderboards}.` }),
  ]
  if (worldRecords > 0) {
    const returned = plural(givenBack, {
      one: '# of them goes to another player',
      other: '# of them go to other players',
    })
    sentences.push(
      plural(worldRecords, {
        one: `Takes # world record; ${returned}.`,
        other: `Takes # world records; ${returned}.`,
      }),
    )
  }
  return sentences
}
