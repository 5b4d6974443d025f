import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PlayersTabs } from '@/entities/player/more/PlayersTabs'
import { FormulaView } from '@/features/rankings/FormulaView'
import { Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { paths } from './paths'

export default function FormulaPage() {
  usePageTitle(t`How points work`)
  return (
    <Stack gap="6">
      <PageHeading>
        <Trans>How points work</Trans>
      </PageHeading>
      <PlayersTabs path={paths.formula} />
      <FormulaView />
    </Stack>
  )
}
