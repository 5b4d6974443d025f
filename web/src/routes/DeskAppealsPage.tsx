import { t } from '@lingui/core/macro'
import { AppealQueue } from '@/features/desk/AppealQueue'
import { DeskTabs } from '@/features/desk/DeskTabs'

export default function DeskAppealsPage() {
  return (
    <DeskTabs title={t`Appeals`}>
      <AppealQueue />
    </DeskTabs>
  )
}
