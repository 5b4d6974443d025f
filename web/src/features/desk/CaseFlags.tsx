import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { type CaseFlag, type FlagKind, type FlagPrecision, useListFlagPrecisionQuery } from '@/api/desk'
import { FLAGS } from '@/entities/moderation/texts'
import { formatTime } from '@/entities/record/raceTime'
import { paths } from '@/routes/paths'
import { Badge, Flex, Panel, Stack, Text } from '@/ui'
import { DividedList } from '@/ui/DividedList'
import { DateTime, formatNumber, formatSeconds, notAvailable } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { Part } from '@/ui/Part'

/** What automatic checks have found, each with its numbers and how often its kind was right. */
export function CaseFlags({ flags }: { flags: CaseFlag[] }) {
  const precision = useListFlagPrecisionQuery().currentData?.data
  return (
    <Part title={t`Automatic flags`}>
      <Panel px="4">
        <DividedList aria-label={t`Automatic flags`}>
          {flags.map((flag) => (
            <Flag key={flag._id} flag={flag} precision={precision?.find(({ kind }) => kind === flag.kind)} />
          ))}
        </DividedList>
      </Panel>
    </Part>
  )
}

function Flag({ flag, precision }: { flag: CaseFlag; precision: FlagPrecision | undefined }) {
  const { kind, silent, numbers, at } = flag
  const other = numbers.otherRecordId
  return (
    <Stack as="li" gap="1" py="3">
      <Flex wrap="wrap" align="center" gap="3">
        <Text fontWeight="semibold">{FLAGS[kind] ? i18n._(FLAGS[kind]) : kind}</Text>
        {silent && <Badge>{t`Opens no case`}</Badge>}
        <Text color="fg.muted" textStyle="sm">
          <DateTime iso={at} />
        </Text>
      </Flex>
      {/* A newer server may send other kinds. */}
      <Text>{sentences[kind]?.(readerOf(numbers)) ?? t`This page has no text for this kind of flag.`}</Text>
      <Flex wrap="wrap" gap="3" textStyle="sm" color="fg.muted">
        {typeof other === 'string' && <PageLink to={paths.record(other)}>{t`The other record`}</PageLink>}
        {precision && <span>{precisionText(precision)}</span>}
      </Flex>
    </Stack>
  )
}

/** Reads a number or text of a flag in the form in which it is shown. */
type Reader = (name: string, format?: (value: number) => string) => string

function copiedText(read: Reader): string {
  const [difference, apart] = [read('differenceMs', formatSeconds), read('momentsApartMs', formatSeconds)]
  return t`${difference} from the time of another player, finished ${apart} apart.`
}

const readerOf =
  (numbers: CaseFlag['numbers']): Reader =>
  (name, format = formatNumber) => {
    const value: unknown = numbers[name]
    if (typeof value === 'string' && value !== '') return value
    return typeof value === 'number' ? format(value) : notAvailable()
  }

const sentences: Record<FlagKind, (read: Reader) => string> = {
  large_lead: (read) => {
    const [time, previous] = [read('finishTime', formatTime), read('previous', formatTime)]
    const [percent, finishers] = [read('percent'), read('finishers')]
    return t`${time} after ${previous}: ${percent} % better, on a leaderboard of ${finishers}.`
  },
  new_account: (read) => {
    const [rank, finishers] = [read('rank'), read('finishers')]
    return read('accountHours', (hours) =>
      plural(hours, {
        0: `Place ${rank} of ${finishers}, less than an hour after the account was created.`,
        one: `Place ${rank} of ${finishers}, # hour after the account was created.`,
        other: `Place ${rank} of ${finishers}, # hours after the account was created.`,
      }),
    )
  },
  same_moment: (read) => {
    const seconds = read('milliseconds', formatSeconds)
    return t`Another map was finished ${seconds} apart.`
  },
  impossible_pace: (read) => {
    const [time, passed] = [read('finishTime', formatTime), read('passed', formatTime)]
    return t`${time} of racing, ${passed} after the finish before.`
  },
  copied_finish: copiedText,
  relabelled_replay: (read) => {
    const finish = copiedText(read)
    return t`${finish} Both files have the same map data, byte for byte.`
  },
  old_version: (read) => {
    const [mod, game] = [read('modVersion'), read('gameVersion')]
    const [mapMod, mapGame] = [read('mapModVersion'), read('mapGameVersion')]
    return t`Mod ${mod}, game ${game}. The map was submitted with mod ${mapMod}, game ${mapGame}, from an earlier finish.`
  },
}

function precisionText({ judged, confirmed }: FlagPrecision): string {
  return plural(judged, {
    0: 'This kind has not been judged yet',
    one: `${confirmed} of the last # of this kind confirmed`,
    other: `${confirmed} of the last # of this kind confirmed`,
  })
}
