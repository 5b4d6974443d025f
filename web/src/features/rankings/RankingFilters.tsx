import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { GAME_MODES } from '@/entities/map/modes'
import { Flex, Stack, Text } from '@/ui'
import { namedChoices } from '@/ui/choices'
import { durationText, formatMoment } from '@/ui/format'
import { FilterSelect } from '@/ui/more/FilterSelect'
import { LinkTabs } from '@/ui/more/LinkTabs'
import { RANKING_NAMES } from './rankingNames'
import { RANKINGS, type RankingView } from './rankingView'

interface Props {
  view: RankingView
  show: (change: Partial<RankingView>) => void
  /** Returns the link to another ranking. */
  linkTo: (change: Partial<RankingView>) => string
  /** When the month of the ranking ends. */
  until: string | null
}

/** What players are ranked by, in which mode, and of which period. */
export function RankingFilters({ view, show, linkTo, until }: Props) {
  return (
    <Stack gap="3">
      <LinkTabs
        label={t`Rankings`}
        tabs={RANKINGS.map((by) => ({ to: linkTo({ by }), text: i18n._(RANKING_NAMES[by]) }))}
        current={linkTo({})}
        preventScrollReset
      />
      <Flex wrap="wrap" align="flex-end" gap="3">
        <FilterSelect
          label={t`Game Mode`}
          w="12rem"
          value={view.mode}
          choices={{ '': t`All modes`, ...namedChoices(GAME_MODES) }}
          onChoose={(mode) => show({ mode })}
        />
        <LinkTabs
          label={t`Period`}
          tabs={[
            { to: linkTo({ period: 'all' }), text: t`All time` },
            { to: linkTo({ period: 'month' }), text: t`This month` },
          ]}
          current={linkTo({})}
          preventScrollReset
        />
      </Flex>
      {view.period === 'month' && (
        <Text textStyle="sm" color="fg.muted" minH={{ base: '10', md: '5' }}>
          {until && <TimeLeft until={until} />}
        </Text>
      )}
    </Stack>
  )
}

/** When the month ends, in the visitor's time zone. */
function TimeLeft({ until }: { until: string }) {
  const [now] = useState(Date.now)
  const end = new Date(until)
  const moment = formatMoment(end)
  const left = durationText(Math.max(0, end.getTime() - now))
  return (
    <Trans>
      Personal bests of this month (UTC) count. It ends on {moment} in your time zone, in {left}.
    </Trans>
  )
}
