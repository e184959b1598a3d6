import React, { useState } from "react";
export const Card: React.FC<Props> = ({ title, onClose = () => {}, ...rest }) => {
  const [open, setOpen] = useState<boolean>(false);
  return <><Panel {...rest} title={title} key="a" disabled onClick={() => setOpen(!open)}>{open && <b>x</b>}</Panel></>;
};
function Panel(props: { title: string; disabled?: boolean; onClick(): void; children?: unknown }) { return <div>{props.title}</div>; }
