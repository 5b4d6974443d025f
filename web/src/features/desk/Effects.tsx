import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  type CaseSubject,
  type DecisionKind,
  type HidingEffects,
  type MapEffects,
  type RecordEffects,
  type RestorationEffects,
  useGetHidingEffectsQuery,
  useGetMapEffectsQuery,
  useGetRecordEffectsQuery,
} from '@/api/desk'
import { formatTime } from '@/entities/record/raceTime'
import { List, Skeleton, Text } from '@/ui'
import { TextWithNames } from '@/ui/TextWithNames'

interface Props {
  kind: DecisionKind
  subject: CaseSubject
  keepRecords: boolean
}

/** What a decision changes in numbers, for the kinds that change something now. */
export function Effects({ kind, subject, keepRecords }: Props) {
  switch (kind) {
    case 'remove_record':
    case 'restore_record':
      return <OfRecord id={subject.id} />
    case 'remove_map':
    case 'restore_map':
    case 'unrank_map':
    case 'rank_map':
      return <OfMap id={subject.id} kind={kind} />
    case 'ban':
    case 'unban':
      return !keepRecords && subject.player ? <OfHiding id={subject.player._id} kind={kind} /> : null
    default:
      return null
  }
}

// A moderator decides by the numbers of this moment.
const NOW = { refetchOnMountOrArgChange: true }

function OfRecord({ id }: { id: string }) {
  const { currentData, isError } = useGetRecordEffectsQuery({ id }, NOW)
  return (
    <Sentences
      sentences={currentData && recordEffects(currentData.data)}
      names={currentData && holderNames(currentData.data)}
      failed={isError}
    />
  )
}

type MapKind = 'remove_map' | 'restore_map' | 'unrank_map' | 'rank_map'

function OfMap({ id, kind }: { id: string; kind: MapKind }) {
  const { currentData, isError } = useGetMapEffectsQuery({ id }, NOW)
  return <Sentences sentences={currentData && mapEffects(currentData.data, kind)} failed={isError} />
}

function OfHiding({ id, kind }: { id: string; kind: 'ban' | 'unban' }) {
  const { currentData, isError } = useGetHidingEffectsQuery({ id }, NOW)
  return <Sentences sentences={currentData && hidingEffects(currentData.data, kind)} failed={isError} />
}

interface SentencesProps {
  sentences: string[] | undefined
  names?: string[] | undefined
  failed: boolean
}

function Sentences({ sentences, names = [], failed }: SentencesProps) {
  if (sentences) {
    return (
      <List.Root ps="5" aria-label={t`What it changes`}>
        {sentences.map((sentence) => (
          <List.Item key={sentence}>
            <TextWithNames text={sentence} names={names} />
          </List.Item>
        ))}
      </List.Root>
    )
  }
  if (failed) {
    return (
      <Text role="alert" color="fg.error">
        <Trans>The numbers of what it changes could not be loaded.</Trans>
      </Text>
    )
  }
  return <Skeleton h="12" role="status" aria-label={t`Loading what it changes`} />
}

function recordEffects(effects: RecordEffects): string[] {
  const { movedUp, nextBest, worldRecord, nextWorldRecord, restoration } = effects
  if (restoration) return restorationEffects(restoration)
  const sentences = [t`Removes 1 record.`]
  if (nextWorldRecord) {
    const { player, finishTime } = nextWorldRecord
    sentences.push(t`Gives the world record back to ${player.name} (${formatTime(finishTime)}).`)
  } else if (worldRecord) sentences.push(t`The map will have no world record.`)
  if (nextBest) sentences.push(t`Another record of the player takes a place on the leaderboard.`)
  if (movedUp > 0) sentences.push(plural(movedUp, { one: '# player moves up.', other: '# players move up.' }))
  return sentences
}

/** Returns the name and the time of who holds the world record now, or would hold it. */
function holderNames({ nextWorldRecord, restoration }: RecordEffects): string[] {
  const holder = restoration ? restoration.presentWorldRecord : nextWorldRecord
  return holder ? [holder.player.name, formatTime(holder.finishTime)] : []
}

function restorationEffects({ rank, movedDown, worldRecord, presentWorldRecord }: RestorationEffects): string[] {
  const sentences = [
    rank === null
      ? t`Restores 1 record, which takes no place on the leaderboard.`
      : t`Restores 1 record in place ${rank}.`,
  ]
  if (worldRecord && presentWorldRecord) {
    const { player, finishTime } = presentWorldRecord
    sentences.push(t`Takes the world record from ${player.name} (${formatTime(finishTime)}).`)
  } else if (worldRecord) sentences.push(t`It is the world record of the map again.`)
  if (movedDown > 0) sentences.push(plural(movedDown, { one: '# player moves down.', other: '# players move down.' }))
  return sentences
}

function mapEffects({ records, players }: MapEffects, kind: MapKind): string[] {
  switch (kind) {
    case 'remove_map':
      return [
        plural(records, {
          one: `Removes # record of ${plural(players, { one: '# player', other: '# players' })}.`,
          other: `Removes # records of ${plural(players, { one: '# player', other: '# players' })}.`,
        }),
      ]
    case 'restore_map':
      return [
        plural(records, {
          one: `Restores # record of ${plural(players, { one: '# player', other: '# players' })}.`,
          other: `Restores # records of ${plural(players, { one: '# player', other: '# players' })}.`,
        }),
      ]
    case 'unrank_map':
      return [
        plural(records, {
          one: `# record of ${plural(players, { one: '# player', other: '# players' })} gives no points.`,
          other: `# records of ${plural(players, { one: '# player', other: '# players' })} give no points.`,
        }),
      ]
    case 'rank_map':
      return [
        plural(records, {
          one: `# record of ${plural(players, { one: '# player', other: '# players' })} gives points again.`,
          other: `# records of ${plural(players, { one: '# player', other: '# players' })} give points again.`,
        }),
      ]
  }
}

function hidingEffects(effects: HidingEffects, kind: 'ban' | 'unban'): string[] {
  const { hidden, records, maps, worldRecords, givenBack } = effects
  if (hidden !== (kind === 'unban')) {
    return [hidden ? t`The records are hidden already.` : t`No records are hidden.`]
  }
  if (hidden) return showingEffects(effects)
  const sentences = [
    plural(records, {
      one: `Hides # record on ${plural(maps, { one: '# leaderboard', other: '# leaderboards' })}.`,
      other: `Hides # records on ${plural(maps, { one: '# leaderboard', other: '# leaderboards' })}.`,
    }),
  ]
  if (worldRecords > 0) {
    sentences.push(
      plural(worldRecords, {
        one: plural(givenBack, {
          0: 'Takes 1 world record, which goes to nobody.',
          other: 'Takes 1 world record, which goes to another player.',
        }),
        other: `Takes # world records; ${plural(givenBack, {
          one: '# of them goes to another player',
          other: '# of them go to other players',
        })}.`,
      }),
    )
  }
  return sentences
}

function showingEffects({ records, maps, worldRecords, givenBack }: HidingEffects): string[] {
  const sentences = [
    plural(records, {
      one: `Shows # record on ${plural(maps, { one: '# leaderboard', other: '# leaderboards' })}.`,
      other: `Shows # records on ${plural(maps, { one: '# leaderboard', other: '# leaderboards' })}.`,
    }),
  ]
  if (worldRecords > 0) {
    sentences.push(
      plural(worldRecords, {
        one: plural(givenBack, {
          0: 'Gives back 1 world record.',
          other: "Gives back 1 world record, which is another player's now.",
        }),
        other: `Gives back # world records; ${plural(givenBack, {
          one: "# of them is another player's now",
          other: "# of them are other players' now",
        })}.`,
      }),
    )
  }
  return sentences
}
