import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import type { MonthActivity } from '@/api'
import { Flex, Panel, styled, VisuallyHidden } from '@/ui'
import { formatNumber } from '@/ui/format'
import { InnerPart } from '@/ui/Part'

const Bars = styled('div', { base: { display: 'flex', alignItems: 'flex-end', gap: '1', h: '24' } })

const Bar = styled('div', {
  base: { flex: '1', minW: '0', roundedTop: 'sm' },
  variants: { of: { some: { bg: 'fg.muted' }, none: { bg: 'border.emphasized' } } },
})

/** How many records a player submitted in each of the last months, as a picture, and as a table for screen readers. */
export function Activity({ activity }: { activity: MonthActivity[] }) {
  const most = Math.max(1, ...activity.map(({ records }) => records))
  const total = activity.reduce((sum, { records }) => sum + records, 0)
  return (
    <InnerPart title={t`Activity by month`}>
      <Panel p="4" textStyle="xs" color="fg.muted">
        <p>{plural(total, { one: '# record in the last 24 months', other: '# records in the last 24 months' })}</p>
        <Bars aria-hidden="true" mt="3">
          {activity.map(({ month, records }) => (
            <Bar
              key={month}
              of={records > 0 ? 'some' : 'none'}
              title={monthText(month)}
              style={{ height: `max(2px, ${(100 * records) / most}%)` }}
            />
          ))}
        </Bars>
        <Flex justify="space-between" mt="1" aria-hidden="true">
          <span>{monthText(activity[0]?.month)}</span>
          <span>{monthText(activity.at(-1)?.month)}</span>
        </Flex>
      </Panel>
      <VisuallyHidden>
        <table aria-label={t`Activity by month`}>
          <thead>
            <tr>
              <th>{t`Month`}</th>
              <th>{t`Records`}</th>
            </tr>
          </thead>
          <tbody>
            {activity.map(({ month, records }) => (
              <tr key={month}>
                <td>{monthText(month)}</td>
                <td>{formatNumber(records)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </InnerPart>
  )
}

/** Formats a month such as 2026-01, which is one of UTC. */
const monthText = (month = ''): string =>
  month && i18n.date(`${month}-01T00:00:00Z`, { month: 'short', year: 'numeric', timeZone: 'UTC' })
