import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { GAME_MODES } from '@/entities/map/modes'
import { type Elements, Flex, Stack, Text, VisuallyHidden } from '@/ui'
import { namedChoices } from '@/ui/choices'
import { durationText, formatMoment } from '@/ui/format'
import { LinkTabs } from '@/ui/more/LinkTabs'
import { Select } from '@/ui/Select'
import { RANKINGS, type RankingView } from './queries'
import { RANKING_NAMES } from './rankingNames'

interface Props {
  view: RankingView
  show: (change: Partial<RankingView>) => void
  /** Returns the link to another ranking. */
  linkTo: (change: Partial<RankingView>) => string
  /** When the month of the ranking ends. */
  until: string | null
  /** What stands beside them. */
  children: Elements
}

/** What players are ranked by, in which mode, and of which period. */
export function RankingFilters({ view, show, linkTo, until, children }: Props) {
  return (
    <Stack gap="3">
      <Flex wrap="wrap" align="center" columnGap={{ base: '2', md: '4' }} rowGap="2">
        <LinkTabs
          label={t`Rankings`}
          tabs={RANKINGS.map((by) => ({ to: linkTo({ by }), text: i18n._(RANKING_NAMES[by]) }))}
          current={linkTo({})}
          preventScrollReset
        />
        <Flex as="label">
          <VisuallyHidden>{t`Game Mode`}</VisuallyHidden>
          <Select
            small
            w="auto"
            minW="9rem"
            value={view.mode}
            choices={{ '': t`All modes`, ...namedChoices(GAME_MODES) }}
            onChoose={(mode) => show({ mode })}
          />
        </Flex>
        <LinkTabs
          label={t`Period`}
          tabs={[
            { to: linkTo({ period: 'all' }), text: t`All time` },
            { to: linkTo({ period: 'month' }), text: t`This month` },
          ]}
          current={linkTo({})}
          preventScrollReset
        />
        {children}
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
