import { catalogue } from "./catalogue.ts";

export const address = catalogue({
  "zh-CN": {
    isDefault: "默认",
    tooMany: "最多存 {n} 个，先删一个再加。",
    newTitle: "新增地址",
    editTitle: "修改地址",
    paste: "粘贴整段地址",
    pasteHint: "会拆成姓名、手机号和地址。",
    pasted: "拆好了，核对一下再保存。",
    pastedPart: "拆好了，地区没认全，接着选一下。",
    name: "收件人",
    mobile: "手机号",
    province: "省、直辖市",
    city: "市、区",
    district: "区、县",
    pick: "请选择",
    regionsFailed: "地区没取到",
    regionsRetry: "再取一次",
    detail: "详细地址",
    detailHint: "街道、门牌、楼层、房号",
    asDefault: "设为默认地址",
    save: "保存",
    cancel: "取消",
  },
  "en-US": {
    isDefault: "Default",
    tooMany: "{n} addresses at most. Delete one first.",
    newTitle: "New address",
    editTitle: "Edit address",
    paste: "Paste a whole address",
    pasteHint: "Name, phone and address in one go.",
    pasted: "Taken apart. Check it, then save.",
    pastedPart: "Taken apart. Choose what is missing.",
    name: "Recipient",
    mobile: "Phone",
    province: "Province",
    city: "City or district",
    district: "District or county",
    pick: "Choose",
    regionsFailed: "The regions did not arrive",
    regionsRetry: "Ask again",
    detail: "Street address",
    detailHint: "Street, number, floor, room",
    asDefault: "Make it the default address",
    save: "Save",
    cancel: "Cancel",
  },
});

/** The address choice of a checkout. */
export const addressChoice = catalogue({
  "zh-CN": {
    choose: "寄到哪里",
    why: "东西按这个地址寄出，不作别用。",
    needed: "先选一个收货地址",
    addNew: "新增地址",
  },
  "en-US": {
    choose: "Where to",
    why: "Your order is posted there. The address is used for nothing else.",
    needed: "Choose an address first",
    addNew: "New address",
  },
});

/** The address book on the member's page. */
export const addressBook = catalogue({
  "zh-CN": {
    title: "收货地址",
    add: "新增",
    edit: "编辑 {name} 的地址",
    remove: "删除 {name} 的地址",
    makeDefault: "设为默认",
    empty: "还没有地址，先加一个。",
    removed: "删掉了 {name} 的地址",
    undo: "撤销",
    notRestored: "没能恢复 {name} 的地址",
    again: "再试一次",
  },
  "en-US": {
    title: "Addresses",
    add: "Add",
    edit: "Edit the address of {name}",
    remove: "Delete the address of {name}",
    makeDefault: "Make default",
    empty: "No address yet. Add one and orders fill themselves in.",
    removed: "Deleted the address of {name}",
    undo: "Undo",
    notRestored: "The address of {name} did not come back",
    again: "Try again",
  },
});
